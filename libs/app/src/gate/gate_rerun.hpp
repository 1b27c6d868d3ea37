// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/model/environment.hpp>
#include <ridge/store/store.hpp>

#include "gate/gate_finding.hpp"

namespace ridge::app {

// How suspects are measured again.
struct rerun_plan {
  std::string against{};  // executable or commit to measure against; empty: the commit of the run before
  double budget_s = 120;  // for all of them, builds not included
  double min_effect = 0.01;
  std::uint64_t seed = 1;
  bool improvements = false;  // measures what got better as well
};

// Measures the suspects, those furthest off first, by the build of the baseline and by this program,
// interleaved, and sets their outcome; `here` is the environment of this program. One that cannot be measured
// here stays suspected and says why. Ends early where the process is interrupted under an interrupt_guard;
// throws interrupted_step. Returns the measured families.
[[nodiscard]] std::vector<model::family> measure_again(const context& program, store::store& results,
                                                       const model::environment& here, const rerun_plan& plan,
                                                       std::vector<gate_finding>& findings);

// Sets the outcome of a suspect by what both builds showed: confirmed where they differ in its direction,
// cleared where they do not or differ in the other, else inconclusive.
void judge_again(gate_finding& suspect, const model::comparison& seen);

}  // namespace ridge::app
