// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include <ridge/harness/edge_record.hpp>
#include <ridge/harness/plan.hpp>

#include "session/duration_cache.hpp"
#include "session/remaining_time.hpp"

namespace ridge::app {

// Returns what a family is planned to take: the budget of its variants without those that need one of the
// missing libraries, and an estimate of its untimed work from the bytes and operations of its problem.
[[nodiscard]] planned_time planned_time_of(const harness::planned_family& family,
                                           const harness::run_options& options,
                                           const std::set<std::string>& missing_libraries = {});

// Returns what it is planned to take to try an experiment's variants at its edge sizes, which comes before
// its first family: as long as a variant has not been tried in this build, and `edges` is not null. In the
// usual seconds of untimed work.
[[nodiscard]] double edges_time_of(const harness::planned_family& family, const harness::run_options& options,
                                   harness::edge_record* edges);

// Returns what each family is planned to take, in their order, with the edge sizes of its experiment where it
// is the first of it, and as long as it took before where `durations` knows that.
[[nodiscard]] std::vector<planned_time> planned_times_of(const std::vector<harness::planned_family>& families,
                                                         const harness::run_options& options,
                                                         const std::set<std::string>& missing_libraries,
                                                         harness::edge_record* edges,
                                                         duration_cache* durations = nullptr);

}  // namespace ridge::app
