// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/timed_family.hpp"

namespace ridge::harness {

// Binds the variants of a verified family, measures them in one session, and completes the family's result:
// measurements, comparisons and checks, and on a GPU further modes.
void measure_verified(family_state& family, const session_watch& watch);

// Sessions of the variant of one measurement with its control alone; it is verified first.
[[nodiscard]] control_trials control_sessions(family_state& family, std::size_t measurement,
                                              double seconds_each, std::size_t trials);

}  // namespace ridge::harness
