// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <charconv>

#include <ridge_trace.h>

#include "refused.hpp"

namespace ridge::trace_c {
namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number n{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return n;
}

std::vector<std::string> parts_of(std::string_view text, char between) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(between), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

refused no_number(std::string_view name, std::string_view value, std::string_view wanted) {
  return wrong_use("the argument " + std::string(name) + " is \"" + std::string(value) + "\"",
                   std::string(wanted) + " is wanted");
}

}  // namespace

refused wrong_use(std::string what_is_wrong, std::string remedy) {
  return {ridge_trace_wrong_use, error{std::move(what_is_wrong), std::move(remedy)}};
}

std::optional<std::int64_t> integer_of(std::string_view text) { return number_of<std::int64_t>(text); }

const std::string* arguments::find(std::string_view name) const {
  known_.emplace(name);
  const auto at = given_.find(std::string(name));
  return at == given_.end() ? nullptr : &at->second;
}

std::int64_t arguments::integer(std::string_view name, std::int64_t otherwise) const {
  const auto* given = find(name);
  if (given == nullptr) return otherwise;
  const auto n = integer_of(*given);
  if (!n) throw no_number(name, *given, "a whole number");
  return *n;
}

double arguments::real(std::string_view name, double otherwise) const {
  const auto* given = find(name);
  if (given == nullptr) return otherwise;
  const auto n = number_of<double>(*given);
  if (!n) throw no_number(name, *given, "a number");
  return *n;
}

bool arguments::flag(std::string_view name, bool otherwise) const {
  const auto n = integer(name, otherwise ? 1 : 0);
  if (n != 0 && n != 1) throw no_number(name, std::to_string(n), "0 or 1");
  return n == 1;
}

std::string arguments::text(std::string_view name, std::string_view otherwise) const {
  const auto* given = find(name);
  return given == nullptr ? std::string(otherwise) : *given;
}

std::vector<std::int64_t> arguments::integer_list(std::string_view name) const {
  std::vector<std::int64_t> list;
  const auto* given = find(name);
  if (given == nullptr) return list;
  for (const auto& part : parts_of(*given, ',')) {
    const auto n = integer_of(part);
    if (!n) throw no_number(name, *given, "a list of whole numbers with commas between");
    list.push_back(*n);
  }
  return list;
}

std::vector<std::string> arguments::text_list(std::string_view name) const {
  const auto* given = find(name);
  return given == nullptr ? std::vector<std::string>() : parts_of(*given, '\n');
}

void arguments::expect_all_used(std::string_view question) const {
  for (const auto& [name, value] : given_) {
    if (known_.contains(name)) continue;
    std::string names;
    for (const auto& known : known_) names += (names.empty() ? "" : ", ") + known;
    throw wrong_use(std::string(question) + " has no argument " + name, "it has " + names);
  }
}

}  // namespace ridge::trace_c
