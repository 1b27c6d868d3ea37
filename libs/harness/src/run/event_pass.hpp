// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sampling/family_arms.hpp"

namespace ridge::harness {

// Hardware events and energy of one call of an arm, from a pass after the timed one; only the bodies
// themselves are counted.
struct call_events {
  std::vector<std::pair<std::string, double>> counters{};  // per call; empty where the kernel allows none
  std::optional<double> energy_j{};  // joules per call of the whole package, idle power included
};

// Takes samples of `iterations` calls between readings of the counters and of the energy meter. Does nothing
// where `equipment` has neither. A slow meter is read only if the caller is `patient`.
[[nodiscard]] call_events count_events(family_arms& arms, std::size_t arm, std::uint64_t iterations,
                                       const instruments& equipment, bool patient);

// Whether a meter is so slow that reading it takes over a second per arm.
[[nodiscard]] bool takes_patience(const measure::energy_meter& meter);

}  // namespace ridge::harness
