// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cheats.hpp"
#include "questions.hpp"

namespace ridge::cheats {

// The groups of cheats on outputs: wrong in every call; handed out again; wrong only where nobody seems to
// look.
[[nodiscard]] std::vector<cheat> wrong_outputs();
[[nodiscard]] std::vector<cheat> stale_outputs();
[[nodiscard]] std::vector<cheat> watched_outputs();

}  // namespace ridge::cheats
