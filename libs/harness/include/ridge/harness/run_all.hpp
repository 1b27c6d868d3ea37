// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/listener.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// Measures all planned families in order and tells `observer` after each. With a suite budget the first
// problem of every experiment comes before others, and the budget is shared among the families still to come;
// a deadline alone ends the run and changes no family's part of its session. What has no results when either
// is over, when it took twice its part, or when the observer wants a stop, is listed in `left_out` with the
// reason. Where
// the instruments have a record of edge sizes, variants that it does not know are tried at these first, and
// those that fail are refused. `header` holds id, environment and command, and comes back with the families.
[[nodiscard]] model::run run_all(model::run header, const std::vector<planned_family>& families,
                                 const instruments& equipment, const run_options& options,
                                 listener& observer);

// A problem of which a run has no results, with the reason.
[[nodiscard]] model::left_out without_results(const planned_family& family, std::string reason);
// Why a run with these options ends before its last problem: it was interrupted, or its time was used up.
[[nodiscard]] std::string why_it_ended(const run_options& options, bool interrupted);

}  // namespace ridge::harness
