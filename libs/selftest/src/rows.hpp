// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/selftest/selftest.hpp>

#include "known_arms.hpp"

namespace ridge::selftest {

// Trials of two identical arms, 50 ms each, between two busy neighbours: how many intervals exclude 1.
[[nodiscard]] row identical_arms(std::string name, workload kind, const surroundings& surroundings);

// Trials of a +1 % arm, 400 ms each, quiet and between two busy neighbours: how many find it, and the error
// of the ratio. Two rows from the same trials: power_x and error_x.
[[nodiscard]] std::vector<row> found_effects(const std::string& suffix, workload kind,
                                             const surroundings& surroundings);

// From the end of verification to the printed line, 10 us workload, an A/A pair and a +3 % arm.
[[nodiscard]] row verdict_time(const surroundings& surroundings);

// Instructions of one more iteration of an empty body, by callgrind.
[[nodiscard]] row iteration_cost(const surroundings& surroundings);

// `ridge list`: wall time and resident memory.
[[nodiscard]] std::vector<row> list_figures(const surroundings& surroundings);

[[nodiscard]] std::vector<row> store_figures(const surroundings& surroundings);

}  // namespace ridge::selftest
