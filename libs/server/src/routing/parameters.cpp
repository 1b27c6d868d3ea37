// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <ridge/base/text.hpp>

#include "routing/route_table.hpp"

namespace ridge::server {
namespace {

template <class Number>
bool is_number(std::string_view text, Number& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc{} && end == text.data() + text.size();
}

// Returns what is expected of a value that is wrong; empty when it is right.
std::string complaint(const parameter& declared, std::string_view value) {
  if (declared.may_be_empty && value.empty()) return "";
  if (!declared.choices.empty() && std::ranges::find(declared.choices, value) == declared.choices.end())
    return "one of " + join(declared.choices, ", ");
  if (declared.type == value_type::integer) {
    std::int64_t number = 0;
    return is_number(value, number) ? "" : "a whole number";
  }
  if (declared.type == value_type::number) {
    double number = 0;
    return is_number(value, number) && std::isfinite(number) ? "" : "a finite number";
  }
  if (declared.type == value_type::truth) return value == "true" || value == "false" ? "" : "true or false";
  return "";
}

response wrong_parameter(std::string message, std::string remedy) {
  return problem(400, {std::move(message), std::move(remedy)});
}

std::optional<response> unknown_refusal(const route& found, std::string_view name) {
  std::vector<std::string> known;
  for (const auto& one : found.parameters) known.push_back(one.name);
  const auto near = nearest_name(name, known);
  std::string remedy = known.empty() ? "it takes none" : "it takes " + join(known, ", ");
  if (near) remedy = "did you mean " + *near + "?";
  return wrong_parameter(found.pattern + " has no parameter \"" + std::string(name) + "\"",
                         std::move(remedy));
}

}  // namespace

std::optional<response> parameter_refusal(const route& found, const request& asked) {
  std::set<std::string_view> seen;
  for (const auto* list : {&asked.query, &asked.variables}) {
    for (const auto& [name, value] : *list) {
      const auto declared = std::ranges::find(found.parameters, name, &parameter::name);
      if (declared == found.parameters.end()) {
        if (list == &asked.variables) continue;  // a variable that the route does not describe is any text
        return unknown_refusal(found, name);
      }
      if (!seen.insert(name).second)
        return wrong_parameter("the parameter \"" + name + "\" is given twice", "give it once");
      const auto expected = complaint(*declared, value);
      if (!expected.empty())
        return wrong_parameter("the parameter \"" + name + "\" is \"" + value + "\"", "give " + expected);
    }
  }
  for (const auto& declared : found.parameters) {
    if (declared.required && !seen.contains(declared.name))
      return wrong_parameter("the parameter \"" + declared.name + "\" is missing", declared.description);
  }
  return std::nullopt;
}

}  // namespace ridge::server
