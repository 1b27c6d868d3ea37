// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/comparison.hpp>

#include "family_arms.hpp"
#include "summarise.hpp"

namespace ridge::harness {

// How a GPU's clocks and the harness's own work stood while a family was measured: what its events resolve,
// whether they agree with the GPU's timer and the host's clock, and what a sample costs the host. None on the
// host. Runs each arm a few times, untimed.
[[nodiscard]] std::vector<model::check> gpu_checks(family_arms& arms);

// Whether a comparison says the same in cycles as in time: where it does not, the clock differed between the
// arms. Skipped where no clock was seen.
[[nodiscard]] model::check cycles_check(const pairing_result& in_time, const family_evidence& e);

}  // namespace ridge::harness
