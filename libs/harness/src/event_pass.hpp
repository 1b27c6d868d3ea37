// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "family_arms.hpp"

namespace ridge::harness {

// Hardware events and energy of one call of each arm, from a pass after the timed one; only the body's own
// time counts.
struct call_events {
  std::vector<std::pair<std::string, double>> counters{};  // per call; empty where the kernel allows none
  std::optional<double> energy_j{};                        // of the whole package, idle power included
};

// `iterations` of the arm's samples. Does nothing where `with` has neither.
[[nodiscard]] call_events count_events(family_arms& arms, std::size_t arm, std::uint64_t iterations,
                                       const instruments& with, bool patient);

// Whether a meter is so slow that reading it takes over a second an arm; then only the patient do.
[[nodiscard]] bool takes_patience(const measure::energy_meter& meter);

}  // namespace ridge::harness
