// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/changes/departures.hpp>
#include <ridge/changes/stored_changes.hpp>
#include <ridge/model/comparison.hpp>

#include "gate/gate_baseline.hpp"

namespace ridge::app {

// What a gate says of a series.
enum class gate_outcome : std::uint8_t {
  steady,        // no change
  suspected,     // changed by what is stored; not measured again
  confirmed,     // measured again, interleaved: it is so
  cleared,       // measured again: it is not so
  inconclusive,  // measured again, which did not tell
  accepted,      // a person called it expected or noise
  unknown,       // nothing to compare with
};
[[nodiscard]] std::string_view name(gate_outcome outcome);

// One series as a gate sees it.
struct gate_finding {
  model::workload workload{};
  model::measured_series series{};
  gate_outcome outcome{gate_outcome::steady};
  std::string run{};  // the first that departed, or the newest
  std::string started{};
  double level = std::numeric_limits<double>::quiet_NaN();  // before, in the unit of the metric; NaN: unknown
  double value = std::numeric_limits<double>::quiet_NaN();  // since
  double ratio = std::numeric_limits<double>::quiet_NaN();  // above 1 is better
  changes::direction direction{changes::direction::better};
  std::optional<double> q{};            // of chance, over all series of the pass; absent where nothing tells
  std::int64_t environment = 0;         // of the newest run
  std::int64_t environment_before = 0;  // of the last run before; 0: unknown
  std::string why{};                    // of unknown and accepted; why it was not measured again; else empty
  std::optional<model::comparison> again{};  // the measurement by both builds; the reference is the baseline
};

// Returns a finding for every series of the query: its newest run against the baseline.
[[nodiscard]] std::vector<gate_finding> findings_since(store::store& results,
                                                       const store::workload_query& query,
                                                       const gate_baseline& baseline,
                                                       const changes::rules& rules);

// Returns a finding for every series of the query, without a baseline: its newest level against the one
// before, and the runs that are watched.
[[nodiscard]] std::vector<gate_finding> findings_of_history(store::store& results,
                                                            const store::workload_query& query,
                                                            const changes::rules& rules);

}  // namespace ridge::app
