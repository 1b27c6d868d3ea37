// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ridge::trace::generator {

// Returns names made from lists of parts, the same at every call.
[[nodiscard]] std::vector<std::string> frame_names();   // of Python frames: 1500, 41 letters on average
[[nodiscard]] std::vector<std::string> kernel_names();  // 135, long as templates make them
[[nodiscard]] std::vector<std::string> op_names();      // 160
[[nodiscard]] std::vector<std::string> call_names();    // 8, of a runtime

}  // namespace ridge::trace::generator
