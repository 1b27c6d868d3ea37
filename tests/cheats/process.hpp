// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cheats.hpp"
#include "questions.hpp"

namespace ridge::cheats {

// The cheats that leave the process in another state than they found it in.
[[nodiscard]] std::vector<cheat> leaving_cheats();

}  // namespace ridge::cheats
