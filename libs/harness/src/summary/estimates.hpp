// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/model/measurement.hpp>

namespace ridge::harness {

// The 95 % interval of the median between two order statistics; for fewer than six values, their range.
[[nodiscard]] interval median_interval(std::vector<double> values);

// The median of the finite values, with that interval.
[[nodiscard]] model::estimate estimate_of(const model::metric& metric, const std::vector<double>& values);

// p50, p90, p99 and p99.9 of the values, each with its interval, or with the number of values that it still
// needs; none without values.
[[nodiscard]] std::vector<model::quantile_estimate> quantiles_of(const std::string& metric_name,
                                                                 std::vector<double> seen);

}  // namespace ridge::harness
