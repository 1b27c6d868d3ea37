// SPDX-License-Identifier: Apache-2.0
#include "input/plan_times.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::app_plan {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 8> units{
    {{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}}};

std::optional<double> unit_named(std::string_view name) {
  for (const auto& [known, seconds] : units) {
    if (known == name) return seconds;
  }
  return std::nullopt;
}

}  // namespace

result<double> seconds_of(std::string_view option, std::string_view text, double plain_unit_s) {
  const auto given = trim(text);
  double value = 0;
  const auto [end, code] = std::from_chars(given.data(), given.data() + given.size(), value);
  const auto name = trim(given.substr(static_cast<std::size_t>(end - given.data())));
  const auto unit = name.empty() ? std::optional(plain_unit_s) : unit_named(name);
  if (code != std::errc() || !std::isfinite(value) || value < 0 || !unit)
    return error{fmt::format("{} \"{}\" is not a time", option, text), "write it as 500ms, 2s or 5min"};
  constexpr double most_s = 1e10;  // three centuries: a slip of units lies beyond
  if (value * *unit > most_s)
    return error{fmt::format("{} \"{}\" is longer than 1e10 s", option, text), "give a shorter time"};
  return value * *unit;
}

result<double> period_of(std::string_view option, std::string_view text, double plain_unit_s) {
  auto read = seconds_of(option, text, plain_unit_s);
  if (read && !(*read > 0))
    return error{fmt::format("{} \"{}\" is not a valid duration", option, text),
                 "give one above 0, as 500ms, 2s or 5min"};
  return read;
}

result<std::vector<double>> times_between_colons(std::string_view option, std::string_view text,
                                                 std::size_t least, std::size_t most, double plain_unit_s,
                                                 const std::string& remedy) {
  std::vector<double> all;
  for (const auto part : split(text, ':')) {
    const auto one = seconds_of(option, part, plain_unit_s);
    if (!one) return error{fmt::format("{}; {}", one.why().message, one.why().remedy), remedy};
    all.push_back(*one);
  }
  if (all.size() < least || all.size() > most)
    return error{fmt::format("{} \"{}\" has {} times", option, text, all.size()), remedy};
  return all;
}

}  // namespace ridge::app_plan
