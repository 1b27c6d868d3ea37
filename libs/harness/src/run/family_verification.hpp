// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/family_state.hpp"

namespace ridge::harness {

// Makes the rings and verifies every variant that can run here; a wrong one is refused. True while there is
// something to time; a family without a variant that can run is skipped.
bool verify(family_state& family);

// Makes the rings and verifies the variant of one measurement, where it can run here.
void verify_one(family_state& family, std::size_t measurement);

}  // namespace ridge::harness
