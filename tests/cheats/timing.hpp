// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cheats.hpp"
#include "questions.hpp"

namespace ridge::cheats {

// The groups of cheats on timing besides those on calls: somebody else does the work; the clock is forged.
[[nodiscard]] std::vector<cheat> helper_cheats();
[[nodiscard]] std::vector<cheat> clock_cheats();

}  // namespace ridge::cheats
