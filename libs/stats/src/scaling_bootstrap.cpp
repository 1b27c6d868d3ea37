// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <ridge/base/expects.hpp>
#include <ridge/stats/counter_random.hpp>
#include <ridge/stats/quantile.hpp>
#include <ridge/stats/scaling.hpp>

#include "scaling_solved.hpp"

namespace ridge::stats {
namespace {

constexpr std::size_t draws = 2000;

// Returns the residuals of log X about zero, inflated for the coefficients that were fitted.
std::vector<double> residuals_of(const scaling_fit& f, std::span<const scaling_point> points) {
  const auto n = static_cast<double>(points.size()), p = static_cast<double>(f.parameters);
  std::vector<double> all;
  double mean = 0;
  for (const auto& one : points) {
    all.push_back(std::log(one.throughput / f.at(one.workers)));
    mean += all.back() / n;
  }
  for (auto& r : all) r = (r - mean) * std::sqrt(n / (n - p));
  return all;
}

double drawn(std::span<const double> residuals, std::uint64_t seed, std::uint64_t stream, std::size_t index) {
  return residuals[random_bits(seed, stream, index) % residuals.size()];
}

std::vector<scaling_fit> refits(const scaling_fit& f, std::span<const scaling_point> points,
                                std::span<const double> residuals, std::uint64_t seed) {
  std::vector<scaling_fit> all;
  std::vector<scaling_point> again(points.begin(), points.end());
  for (std::size_t d = 0; d < draws; ++d) {
    for (std::size_t i = 0; i < again.size(); ++i)
      again[i].throughput = f.at(again[i].workers) * std::exp(drawn(residuals, seed, d, i));
    all.push_back(solved(f.law, again));
  }
  return all;
}

interval middle(std::vector<double> values, double level) {
  std::ranges::sort(values);
  return {sorted_quantile(values, (1 - level) / 2), sorted_quantile(values, (1 + level) / 2)};
}

result<void> has_band(const scaling_fit& f) {
  if (f.points > f.parameters) return {};
  return error{std::string(name_of(f.law)) +
                   " has as many coefficients as there are points: it meets them all, and nothing "
                   "says how far off it is elsewhere",
               "measure at least " + std::to_string(f.parameters + 1) + " points before asking for others"};
}

template <class Get>
interval middle_of(std::span<const scaling_fit> fits, double level, Get get) {
  std::vector<double> values;
  for (const auto& f : fits) values.push_back(get(f));
  return middle(std::move(values), level);
}

}  // namespace

result<std::vector<scaling_prediction>> predict_scaling(const scaling_fit& f,
                                                        std::span<const scaling_point> points,
                                                        std::span<const double> workers, double level,
                                                        std::uint64_t seed) {
  expects(level > 0 && level < 1, "predict_scaling: a level between 0 and 1");
  const auto sound = has_band(f);
  if (!sound) return sound.why();
  const auto residuals = residuals_of(f, points);
  const auto fits = refits(f, points, residuals, seed);
  const auto [least, greatest] = std::ranges::minmax(points, {}, &scaling_point::workers);
  std::vector<scaling_prediction> all;
  for (std::size_t w = 0; w < workers.size(); ++w) {
    if (!(workers[w] >= 1)) return error{"workers must be at least 1", "ask for 1 or more"};
    std::vector<double> values;
    for (std::size_t d = 0; d < draws; ++d)
      values.push_back(fits[d].at(workers[w]) * std::exp(drawn(residuals, seed + 1, d, w)));
    all.push_back({.workers = workers[w],
                   .throughput = f.at(workers[w]),
                   .band = middle(std::move(values), level),
                   .extrapolated = workers[w] < least.workers || workers[w] > greatest.workers});
  }
  return all;
}

result<scaling_intervals> scaling_coefficients(const scaling_fit& f, std::span<const scaling_point> points,
                                               double level, std::uint64_t seed) {
  const auto sound = has_band(f);
  if (!sound) return sound.why();
  const auto fits = refits(f, points, residuals_of(f, points), seed);
  scaling_intervals all{.single = middle_of(fits, level, [](const auto& x) { return x.single; }),
                        .serial = middle_of(fits, level, [](const auto& x) { return x.serial; }),
                        .crosstalk = middle_of(fits, level, [](const auto& x) { return x.crosstalk; }),
                        .exponent = middle_of(fits, level, [](const auto& x) { return x.exponent; })};
  std::vector<double> peaks;
  for (const auto& one : fits) {
    if (const auto peak = one.peak_workers()) peaks.push_back(*peak);
  }
  if (f.peak_workers() && peaks.size() > draws / 2) all.peak_workers = middle(std::move(peaks), level);
  return all;
}

}  // namespace ridge::stats
