// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/ceilings.hpp>

#include "run/family_state.hpp"
#include "run/timed_family.hpp"

namespace ridge::harness {

// Measures the ceilings once more that the calls of a session exceed by over 2 %, right after it: a machine
// that was slowed down when its ceilings were measured, and is not now, says so here. By arm; the rate is 0
// where the arm stays below its ceiling, or nothing reads it.
[[nodiscard]] std::vector<ceiling_reading> read_exceeded_ceilings(const family_state& family,
                                                                  timed_family& timed,
                                                                  const session_record& record);

}  // namespace ridge::harness
