// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/model/measurement.hpp>

namespace ridge::harness {

// The order-statistic interval of the median at 95 %; of fewer than six values their range.
[[nodiscard]] interval median_interval(std::vector<double> values);

// The median of the finite values, with that interval.
[[nodiscard]] model::estimate estimate_of(const model::metric& metric, const std::vector<double>& values);

// p50, p90, p99 and p99.9 of what was seen, each with its interval or how many more it needs; none of
// nothing.
[[nodiscard]] std::vector<model::quantile_estimate> quantiles_of(const std::string& what,
                                                                 std::vector<double> seen);

}  // namespace ridge::harness
