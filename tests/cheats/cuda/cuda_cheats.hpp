// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cheats.hpp"

namespace ridge::cheats::cuda {

// The cheats of a GPU, by what they attack: streams that the marks do not cover; work done ahead of the
// marks; calls that are left out; results that are wrong; memory that is not counted; settings and processes
// that others depend on; kernels that disturb or do not end; and who looks.
[[nodiscard]] std::vector<cheat> stream_cheats();
[[nodiscard]] std::vector<cheat> ahead_cheats();
[[nodiscard]] std::vector<cheat> repeat_cheats();
[[nodiscard]] std::vector<cheat> wrong_cheats();
[[nodiscard]] std::vector<cheat> device_memory_cheats();
[[nodiscard]] std::vector<cheat> setting_cheats();
[[nodiscard]] std::vector<cheat> disturbing_cheats();
[[nodiscard]] std::vector<cheat> ending_cheats();
[[nodiscard]] std::vector<cheat> watched_cheats();
// All of the above, each with its category.
[[nodiscard]] std::vector<cheat> all_cuda_cheats();
[[nodiscard]] std::vector<honest_twin> cuda_twins();

}  // namespace ridge::cheats::cuda
