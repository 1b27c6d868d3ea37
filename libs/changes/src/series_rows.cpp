// SPDX-License-Identifier: Apache-2.0
#include "series_rows.hpp"

#include <algorithm>
#include <limits>

#include <ridge/base/splitmix.hpp>
#include <ridge/stats/median.hpp>
#include <ridge/stats/order_interval.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::changes {
namespace {

constexpr double level = 0.95;

std::optional<interval> median_interval(std::vector<double> values) {
  const auto rank = stats::sign_rank(values.size(), 1 - level);
  if (rank == 0) return std::nullopt;
  std::ranges::sort(values);
  return stats::order_interval(values, rank);
}

segment segment_of(std::span<const model::measured_point> points, std::size_t begin, std::size_t end) {
  const auto values = medians_of(points.subspan(begin, end - begin));
  return {.begin = begin,
          .end = end,
          .first_run = points[begin].run,
          .last_run = points[end - 1].run,
          .median = stats::median(values),
          .ci = median_interval(values)};
}

}  // namespace

std::vector<double> medians_of(std::span<const model::measured_point> points) {
  std::vector<double> medians(points.size());
  std::ranges::transform(points, medians.begin(), &model::measured_point::median);
  return medians;
}

double robust_deviation(std::span<const double> values) {
  constexpr double deviations_in_a_mad = 1.4826;
  return deviations_in_a_mad * stats::mad(values);
}

std::uint64_t seed_of(const model::workload& workload, const model::measured_series& series) {
  std::uint64_t hash = 0;
  const auto add = [&](std::string_view text) {
    for (const char c : text) hash = splitmix64(hash ^ static_cast<unsigned char>(c));
    hash = splitmix64(hash ^ 0x100U);  // the end of a text, which no character is
  };
  for (const std::string_view text :
       {std::string_view(workload.machine), std::string_view(workload.experiment),
        std::string_view(workload.problem), model::name(workload.backend), std::string_view(series.variant),
        std::string_view(series.metric.name)})
    add(text);
  return hash;
}

std::vector<segment> segments_of(std::span<const model::measured_point> points,
                                 std::span<const std::size_t> starts) {
  std::vector<segment> segments;
  std::size_t begin = 0;
  for (const auto start : starts) {
    segments.push_back(segment_of(points, begin, start));
    begin = start;
  }
  if (begin < points.size()) segments.push_back(segment_of(points, begin, points.size()));
  return segments;
}

direction direction_of(double before, double after, model::better better) {
  return (after > before) == (better == model::better::higher) ? direction::better : direction::worse;
}

change change_between(std::span<const model::measured_point> points, const segment& before,
                      const segment& after, model::better better, std::uint64_t seed) {
  change made{.index = after.begin,
              .run_before = before.last_run,
              .run = after.first_run,
              .started = points[after.begin].started,
              .before = before.median,
              .after = after.median,
              .direction = direction_of(before.median, after.median, better),
              .environment_before = points[after.begin - 1].environment,
              .environment_after = points[after.begin].environment};
  auto left = medians_of(points.subspan(before.begin, before.end - before.begin));
  auto right = medians_of(points.subspan(after.begin, after.end - after.begin));
  if (better == model::better::lower) std::swap(left, right);
  const auto positive = [](const std::vector<double>& x) { return std::ranges::min(x) > 0; };
  if (positive(left) && positive(right)) {
    made.ratio = stats::median(right) / stats::median(left);
    made.ci = stats::level_ratio_interval(left, right, level, seed);
  } else {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    made.ratio = unknown;
    made.ci = {unknown, unknown};
  }
  return made;
}

}  // namespace ridge::changes
