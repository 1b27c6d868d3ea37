// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <ridge/results/comparable.hpp>

// What analyses of time, energy and money ask of the newest results of one workload.
namespace ridge::results {

// Returns the metric `time` of each variant that has one above zero, in the order of the ladder.
[[nodiscard]] std::vector<const model::latest_measurement*> timed(const model::workload_result& seen);

// Returns the baseline among them; null when there is none.
[[nodiscard]] const model::latest_measurement* timed_baseline(const model::workload_result& seen);

// Returns how many times less time the candidate takes than the reference, measured in pairs; absent where
// the two were not compared in time.
[[nodiscard]] std::optional<paired_ratio> time_ratio(const model::workload_result& seen,
                                                     std::string_view reference, std::string_view candidate);

// Returns the verdict of a variant's comparison with the baseline in time as a cell; unknown where there is
// none.
[[nodiscard]] report::value verdict_in_time(const model::workload_result& seen, std::string_view variant);

}  // namespace ridge::results
