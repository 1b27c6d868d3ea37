// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/runner.hpp>

#include "family_arms.hpp"
#include "pairings.hpp"

namespace ridge::harness {

// What a family is measured for in further modes, once its session is over.
struct mode_pass {
  family_arms& arms;
  const std::vector<std::size_t>& measurement_of;  // by arm
  const std::vector<pairing>& pairings;
  const harness::protocol& protocol;  // of the session; a mode gets a quarter of its budget
  double fastest_call_s = 0;          // of the arms, as the session saw them
};

// Adds to each variant an estimate named "time (warm)", "time (graph)" or "latency" (this one with
// quantiles), to the family comparisons of them without a verdict, each mode paired in a session of its own,
// and a check for each mode that names the variants it is not possible for. A call under 20 us is measured in
// mode::graph whether asked for or not. Does nothing on the host.
void measure_in_modes(model::family& f, const mode_pass& how, std::vector<mode> asked);

}  // namespace ridge::harness
