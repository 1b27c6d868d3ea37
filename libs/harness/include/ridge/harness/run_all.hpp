// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/listener.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// Measures all planned families in order and tells `observer` after each; a suite budget is shared among the
// families still to come.
// `header` holds id, environment and command, and comes back with the families.
[[nodiscard]] model::run run_all(model::run header, const std::vector<planned_family>& families,
                                 const instruments& equipment, const run_options& options,
                                 listener& observer);

}  // namespace ridge::harness
