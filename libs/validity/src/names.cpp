// SPDX-License-Identifier: Apache-2.0
#include <ridge/validity/names.hpp>

#include <cstddef>

#include <ridge/base/text.hpp>

namespace ridge::validity {
namespace {

template <class Value, std::size_t N>
constexpr std::string_view nth(const std::array<std::string_view, N>& names, Value value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view name(category value) {
  static constexpr std::array<std::string_view, 11> names{
      "timing",      "output",      "workload",    "memory and cache", "process",   "device",
      "compilation", "distributed", "environment", "statistics",       "evaluation"};
  return nth(names, value);
}

std::string_view name(threat value) {
  static constexpr std::array<std::string_view, 3> names{"honest mistake", "optimising agent",
                                                         "malicious code"};
  return nth(names, value);
}

std::string_view name(status value) {
  static constexpr std::array<std::string_view, 4> names{"checked", "prevented", "open", "not applicable"};
  return nth(names, value);
}

std::string_view name(place value) {
  static constexpr std::array<std::string_view, 8> names{
      "",           "every sample", "every round", "once per family", "verification",
      "audit pass", "start of run", "by hand"};
  return nth(names, value);
}

std::string_view name(severity value) {
  static constexpr std::array<std::string_view, 5> names{"", "invalid", "refused", "lowers assurance",
                                                         "warns"};
  return nth(names, value);
}

std::vector<std::string_view> words_of(std::string_view list) {
  if (list.empty()) return {};
  return split(list, ' ');
}

}  // namespace ridge::validity
