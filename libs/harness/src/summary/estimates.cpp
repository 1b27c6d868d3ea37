// SPDX-License-Identifier: Apache-2.0
#include "summary/estimates.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/stats/order_interval.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

constexpr double alpha = 0.05;

}  // namespace

interval median_interval(std::vector<double> values) {
  std::ranges::sort(values);
  const auto rank = stats::sign_rank(values.size(), alpha);
  if (rank == 0) return values.empty() ? interval{} : interval{values.front(), values.back()};
  return stats::order_interval(values, rank);
}

model::estimate estimate_of(const model::metric& metric, const std::vector<double>& values) {
  std::vector<double> finite;
  std::ranges::copy_if(values, std::back_inserter(finite), [](double x) { return std::isfinite(x); });
  if (finite.empty()) return {.metric = metric};
  return {.metric = metric, .median = stats::median(finite), .ci = median_interval(finite)};
}

std::vector<model::quantile_estimate> quantiles_of(const std::string& metric_name, std::vector<double> seen) {
  std::vector<model::quantile_estimate> all;
  if (seen.empty()) return all;
  std::ranges::sort(seen);
  for (const auto& [word, q] : {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}}) {
    model::quantile_estimate made{
        .name = metric_name + " " + word, .q = q, .value = stats::sorted_quantile(seen, q)};
    if (const auto found = stats::quantile_with_interval(seen, q, 1 - alpha)) {
      made.ci = found->ci;
    } else {
      made.needed = stats::observations_needed(q, 1 - alpha) - seen.size();
    }
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace ridge::harness
