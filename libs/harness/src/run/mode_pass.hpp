// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/mode.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/run.hpp>

#include "sampling/family_arms.hpp"
#include "session/pairings.hpp"

namespace ridge::harness {

// What measuring a family in further modes needs, once its session is over.
struct mode_pass {
  family_arms& arms;
  const std::vector<std::size_t>& measurement_of;  // by arm
  const std::vector<pairing>& pairings;
  const harness::protocol& protocol;  // the session's; a mode gets a quarter of its budget
  double fastest_call_s = 0;          // the fastest call of any arm in the session
};

// Measures each mode in a session of its own. Adds to each variant an estimate named "time (warm)", "time
// (graph)" or "latency" (this one with quantiles), to the family comparisons of these without a verdict, and
// a check for each mode that names the variants for which it is not possible. Calls under 20 us are always
// measured in mode::graph. Does nothing on a host.
void measure_in_modes(model::family& f, const mode_pass& pass, std::vector<mode> asked);

}  // namespace ridge::harness
