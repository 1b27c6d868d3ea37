// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/changes/series_changes.hpp>
#include <ridge/store/store.hpp>

// Whether the newest run of a series has left the level of a baseline: one run against those before, where a
// change point would need several.
namespace ridge::changes {

// The newest run of a series against the level of its baseline.
struct departure {
  model::measured_point newest{};
  std::string last_baseline_run{};
  std::int64_t baseline_environment = 0;  // of that run
  std::size_t baseline_runs = 0;          // at the newest level of the baseline
  double level = 0;                       // their median, in the unit of the metric
  double ratio = 1;  // how many times better the newest run is; NaN for levels not above 0
  changes::direction direction{direction::better};
  std::optional<double> p{};  // of a run so far off by chance; absent below five runs, which show no spread
  double q = 1;               // Benjamini-Hochberg over all departures of the pass
  bool stands_out = false;    // off by more than chance and than the smallest effect
};

// Compares a run with the level at which the baseline ended; both are valued() and oldest first, the baseline
// holds at least one run. p is that of a normal prediction interval about the median with a robust deviation.
// Below five runs the run stands out where its own interval and those of all baseline runs are apart.
[[nodiscard]] departure departure_of(const model::workload& workload, const model::measured_series& series,
                                     std::span<const model::measured_point> baseline,
                                     const model::measured_point& newest, const rules& rules);

// Sets q of all departures and whether they stand out, for those that have a p.
void judge_together(std::span<departure* const> all, const rules& rules);

// What a gate looks at: a series with its departure, or why there is none.
struct gated_series {
  model::workload workload{};
  model::measured_series series{};
  std::optional<departure> seen{};
  std::string unknown{};  // why nothing was compared; empty: it was
  model::change_note
      said{};  // the newest "expected" or "noise" of a run since the baseline; its state may be empty
};

// Returns every series that the query chooses with the departure of its newest run from the runs that are
// baseline. Throws store_failure.
[[nodiscard]] std::vector<gated_series> departures_of(
    store::store& results, const store::workload_query& query,
    const std::function<bool(const model::measured_point&)>& is_baseline, const rules& rules);

}  // namespace ridge::changes
