// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/app/terminal.hpp>
#include <ridge/changes/series_changes.hpp>

namespace ridge::app {

// Returns the changes of each series that has any, newest first, with what changed of the environment and
// what was said of them; then what is watched, and how many series were searched.
[[nodiscard]] std::string changes_text(std::span<const changes::series_changes> all, const terminal& screen);

// Returns what a series measures: "ch07.transpose rows=4096 columns=4096 tiled"; the metric follows where it
// is not the time.
[[nodiscard]] std::string series_text(const model::workload& workload, const model::measured_series& series);

// Returns "q 0.012"; below a ten-thousandth, where only the model of the noise tells, "q < 0.0001".
[[nodiscard]] std::string q_text(double q);

// Returns the end of the id of a run, by which people name it, and its day: "2026-11-20 4S1Q0Z".
[[nodiscard]] std::string run_text(const std::string& run, const std::string& started);

}  // namespace ridge::app
