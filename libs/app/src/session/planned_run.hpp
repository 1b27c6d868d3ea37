// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/app/terminal.hpp>
#include <ridge/harness/plan.hpp>

#include "session/remaining_time.hpp"

namespace ridge::app {

// Returns what a run would measure and how long that is planned to take: a row for each experiment on each
// backend, then the whole. There is one time for each family, in their order; `budget_s` is what the whole
// run may take, and 0 where nobody limits it.
[[nodiscard]] std::string planned_run_text(std::span<const harness::planned_family> families,
                                           std::span<const planned_time> times, double budget_s,
                                           const terminal& screen);

}  // namespace ridge::app
