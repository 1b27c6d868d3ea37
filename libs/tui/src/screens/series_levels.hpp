// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/changes/series_changes.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/document.hpp>
#include <ridge/store/store.hpp>

namespace ridge::tui {

// Returns where the level of one series changes, searched alone: a pass over many series may take some of
// these changes back. With the states that people gave them, and what differs between the environments.
[[nodiscard]] changes::series_changes levels_of(store::store& store, const model::workload& workload,
                                                const model::measured_series& series,
                                                const std::vector<model::measured_point>& points);

// Adds the levels to a chart whose points stand at 1, 2, 3 and so on, and marks the changes.
void draw_levels(report::chart& chart, const changes::series_changes& seen);

// Returns the changes as a table, the newest first.
[[nodiscard]] report::sheet changes_sheet(const changes::series_changes& seen);

}  // namespace ridge::tui
