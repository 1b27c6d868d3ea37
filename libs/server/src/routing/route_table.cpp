// SPDX-License-Identifier: Apache-2.0
#include "routing/route_table.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <ridge/base/text.hpp>

namespace ridge::server {
namespace {

bool is_variable(std::string_view segment) { return segment.starts_with('{') && segment.ends_with('}'); }

std::vector<std::string> segments_of(std::string_view path) {
  std::vector<std::string> made;
  for (const auto part : split(path.substr(1), '/')) made.emplace_back(part);
  return made;
}

result<void> check(const route& one) {
  const error wrong{"the route " + one.pattern + " is wrong",
                    "give it a pattern like /api/v1/runs/{id} and one handler"};
  if (!one.pattern.starts_with('/')) return wrong;
  for (const auto part : split(std::string_view(one.pattern).substr(1), '/'))
    if (part.empty() && one.pattern != "/") return wrong;
  if ((one.answer ? 1 : 0) + (one.receive ? 1 : 0) + (one.live ? 1 : 0) != 1) return wrong;
  return {};
}

// Returns how many literal segments match, and one; 0 when the path is not of the pattern.
std::size_t match(const std::vector<std::string>& pattern, const std::vector<std::string_view>& path) {
  if (pattern.size() != path.size()) return 0;
  std::size_t literal = 1;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (is_variable(pattern[i])) {
      if (path[i].empty()) return 0;
    } else if (pattern[i] != path[i]) {
      return 0;
    } else {
      ++literal;
    }
  }
  return literal;
}

}  // namespace

result<route_table> route_table::of_routes(std::vector<route> routes) {
  route_table made;
  std::set<std::pair<http_method, std::string>> seen;
  for (auto& one : routes) {
    if (auto checked = check(one); !checked) return checked.why();
    if (!seen.emplace(one.method, one.pattern).second)
      return error{"two routes are " + std::string(name(one.method)) + " " + one.pattern, "leave one out"};
    made.segments_.push_back(segments_of(one.pattern));
  }
  made.routes_ = std::move(routes);
  return made;
}

const route* route_table::find(http_method method, std::string_view path, std::vector<named_text>& variables,
                               std::string& other_methods) const {
  const auto parts = split(path.substr(1), '/');
  const auto wanted = method == http_method::head ? http_method::get : method;
  std::size_t best = 0;
  const route* found = nullptr;
  const std::vector<std::string>* pattern = nullptr;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    const auto literal = match(segments_[i], parts);
    if (literal == 0 || literal < best) continue;
    if (literal > best) {
      best = literal;
      found = nullptr;
      other_methods.clear();
    }
    other_methods += other_methods.empty() ? "" : ", ";
    other_methods += routes_[i].method == http_method::get ? "GET, HEAD" : name(routes_[i].method);
    if (routes_[i].method != wanted) continue;
    found = &routes_[i];
    pattern = &segments_[i];
  }
  if (found == nullptr) return nullptr;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view segment = (*pattern)[i];
    if (is_variable(segment))
      variables.push_back({std::string(segment.substr(1, segment.size() - 2)), std::string(parts[i])});
  }
  return found;
}

}  // namespace ridge::server
