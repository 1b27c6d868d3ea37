// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <ridge/changes/series_changes.hpp>
#include <ridge/stats/median.hpp>

#include "series_rows.hpp"

namespace ridge::changes {
namespace {

constexpr std::size_t fewest_others = 5;
constexpr double allowed_deviations = 4;

std::optional<watched> watch_newest(std::span<const model::measured_point> level, std::size_t count,
                                    model::better better, const rules& rules) {
  if (level.size() < count + fewest_others) return std::nullopt;
  const auto newest = level.last(count);
  const auto others = medians_of(level.first(level.size() - count)), values = medians_of(newest);
  const double center = stats::median(others);
  const double allowed =
      std::max(rules.min_effect * std::abs(center), allowed_deviations * robust_deviation(others));
  const bool above = std::ranges::all_of(values, [&](double v) { return v > center + allowed; });
  const bool below = std::ranges::all_of(values, [&](double v) { return v < center - allowed; });
  if (!above && !below) return std::nullopt;
  const double value = stats::median(values);
  return watched{.first_run = newest.front().run,
                 .runs = count,
                 .level = center,
                 .value = value,
                 .direction = direction_of(center, value, better)};
}

}  // namespace

std::optional<watched> watch(std::span<const model::measured_point> level, model::better better,
                             const rules& rules) {
  for (auto count = rules.fewest - 1; count > 0; --count) {
    if (auto seen = watch_newest(level, count, better, rules)) return seen;
  }
  return std::nullopt;
}

}  // namespace ridge::changes
