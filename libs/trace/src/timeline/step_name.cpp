// SPDX-License-Identifier: Apache-2.0
#include "timeline/step_name.hpp"

#include <algorithm>
#include <array>

#include "events/name_match.hpp"

namespace ridge::trace {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Where the number after `word` starts; npos: no such number.
std::size_t position_of_number(std::string_view name, std::string_view word) {
  for (auto at = name.begin();;) {
    const auto found = std::search(at, name.end(), word.begin(), word.end(), same_letter);
    if (found == name.end()) return std::string_view::npos;
    const auto begins = found == name.begin() || !is_letter(*std::prev(found));
    const auto after = found + static_cast<std::ptrdiff_t>(word.size());
    const auto digit = std::find_if(after, name.end(), [](char c) {
      return std::string_view(" _#:=-/[(").find(c) == std::string_view::npos;
    });
    if (begins && digit != name.end() && is_digit(*digit))
      return static_cast<std::size_t>(digit - name.begin());
    at = std::next(found);
  }
}

std::optional<std::int64_t> number_at(std::string_view name, std::size_t position) {
  std::int64_t value = 0;
  constexpr std::size_t most_digits = 18;
  auto end = position;
  for (; end < name.size() && is_digit(name[end]); ++end) {
    if (end - position >= most_digits) return std::nullopt;
    value = value * 10 + (name[end] - '0');
  }
  return value;
}

}  // namespace

step_name step_name_of(std::string_view name) {
  if (name.starts_with("ProfilerStep")) {
    const auto at = position_of_number(name, "ProfilerStep");
    if (at != std::string_view::npos)
      return {step_source::profiler_step, std::string(name.substr(0, at)), number_at(name, at)};
  }
  for (const std::string_view word : {"step", "iteration", "iter", "batch"}) {
    const auto at = position_of_number(name, word);
    if (at == std::string_view::npos) continue;
    if (const auto number = number_at(name, at))
      return {step_source::numbered, std::string(name.substr(0, at)), number};
  }
  return {step_source::periodic, std::string(name), std::nullopt};
}

}  // namespace ridge::trace
