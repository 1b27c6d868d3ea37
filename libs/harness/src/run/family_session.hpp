// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/session.hpp>

#include "run/timed_family.hpp"

namespace ridge::harness {

// Binds the variants of a verified family, measures them in one session, and completes the family's result:
// measurements, comparisons and checks, and on a GPU further modes.
void measure_verified(family_state& family, const session_watch& watch);

}  // namespace ridge::harness
