// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/selftest/selftest.hpp>

#include "known_arms.hpp"

namespace ridge::selftest {

// Compares two identical arms, 50 ms each trial, between two busy neighbours: counts the intervals that
// exclude 1.
[[nodiscard]] row identical_arms(std::string name, workload kind, const surroundings& surroundings);

// Compares two identical arms, each with a table of `bytes` bytes of its own (a power of two), whole families
// of 50 ms each trial with new arrays and tables: counts the intervals that exclude 1.
[[nodiscard]] row private_tables(std::string name, std::size_t bytes, const surroundings& surroundings);

// Compares two copies of one body whose code lies elsewhere, drawn anew for each of three processes' worth of
// rounds, and merges the three as `--forks` does: counts the intervals that exclude 1.
[[nodiscard]] row code_layouts(std::string name, const surroundings& surroundings);

// Compares with an arm of +1 %, 400 ms each trial, quiet and between two busy neighbours: counts the trials
// that find the effect and computes the error of the ratio. Returns two rows from the same trials: power_x
// and error_x.
[[nodiscard]] std::vector<row> found_effects(const std::string& suffix, workload kind,
                                             const surroundings& surroundings);

// Measures the time from the end of verification to the printed line, for a workload of 10 us, an A/A pair
// and an arm of +3 %.
[[nodiscard]] row verdict_time(const surroundings& surroundings);

// Counts the instructions of one further iteration of an empty body, by callgrind.
[[nodiscard]] row iteration_cost(const surroundings& surroundings);

// Measures wall time and resident memory of `ridge list`.
[[nodiscard]] std::vector<row> list_figures(const surroundings& surroundings);

// The names of the figures of the search for changes in series of runs, and one of them: false alarms by kind
// of noise, how often planted changes are found, and the time of a search. Their series are the same on every
// machine.
[[nodiscard]] std::vector<std::string> change_rows();
[[nodiscard]] row change_figure(const std::string& name, const surroundings& surroundings);

[[nodiscard]] std::vector<row> store_figures(const surroundings& surroundings);

}  // namespace ridge::selftest
