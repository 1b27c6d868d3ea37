// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cheats.hpp"

namespace ridge::cheats {

// Attacks by somebody who has read the harness: each uses what one rule leaves open.
[[nodiscard]] std::vector<cheat> fresh_timing_attacks();
[[nodiscard]] std::vector<cheat> fresh_output_attacks();
[[nodiscard]] std::vector<cheat> fresh_process_attacks();
[[nodiscard]] std::vector<cheat> fresh_statistics_attacks();

}  // namespace ridge::cheats
