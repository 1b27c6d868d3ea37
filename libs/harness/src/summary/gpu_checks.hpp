// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/comparison.hpp>

#include "sampling/family_arms.hpp"
#include "summary/summarise.hpp"

namespace ridge::harness {

// Checks of a GPU's clocks and of the harness's own work while a family was measured: what the events
// resolve, whether they agree with the GPU's timer and the host's clock, and how much host time a sample
// costs. There are none on a host. Runs each arm a few times, untimed.
[[nodiscard]] std::vector<model::check> gpu_checks(family_arms& arms);

// Warns where a comparison has another verdict in cycles than in time: the clock frequency then differed
// between the arms. Skipped where no clock was read.
[[nodiscard]] model::check cycles_check(const pairing_result& in_time, const family_evidence& e);

// What was seen of calls that are enqueued, beside their times: single calls on fresh data against the calls
// of samples (`fresh_calls`), and work that ran on after samples (`left_running`, of every arm of the
// family).
[[nodiscard]] std::vector<model::check> enqueued_checks(const pairing_result& r, const family_evidence& e);

}  // namespace ridge::harness
