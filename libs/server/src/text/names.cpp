// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <ridge/base/expects.hpp>
#include <ridge/server/request.hpp>

namespace ridge::server {
namespace {

constexpr std::array<std::string_view, 5> scope_names{"open", "read", "write", "run", "admin"};
constexpr std::array<std::string_view, 6> method_names{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};

}  // namespace

std::string_view name(scope granted) { return scope_names.at(static_cast<std::size_t>(granted)); }

std::string_view name(http_method method) { return method_names.at(static_cast<std::size_t>(method)); }

std::optional<scope> scope_named(std::string_view text) {
  const auto found = std::ranges::find(scope_names, text);
  if (found == scope_names.end()) return std::nullopt;
  return static_cast<scope>(found - scope_names.begin());
}

std::optional<std::string_view> value_of(const std::vector<named_text>& entries, std::string_view name) {
  const auto found = std::ranges::find(entries, name, &named_text::name);
  if (found == entries.end()) return std::nullopt;
  return found->value;
}

std::optional<std::string> query_value(const request& asked, std::string_view name) {
  const auto found = value_of(asked.query, name);
  if (!found) return std::nullopt;
  return std::string(*found);
}

const std::string& path_value(const request& asked, std::string_view name) {
  const auto found = std::ranges::find(asked.variables, name, &named_text::name);
  expects(found != asked.variables.end(), "path_value: the pattern of the route has this variable");
  return found->value;
}

}  // namespace ridge::server
