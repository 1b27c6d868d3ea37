// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::app {

// Removes the families of the CUDA backend where no GPU can be used; returns how many and why, else an empty
// text.
[[nodiscard]] std::string leave_out_missing_gpu(std::vector<harness::planned_family>& families,
                                                const harness::instruments& instruments);

}  // namespace ridge::app
