// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::app {

// Returns in words why no GPU can be used here; empty where one can. It asks the driver only where there is
// one.
[[nodiscard]] std::string gpu_missing_because(const harness::instruments& instruments);

// Removes the families of the CUDA backend where no GPU can be used; returns how many and why, else an empty
// text.
[[nodiscard]] std::string leave_out_missing_gpu(std::vector<harness::planned_family>& families,
                                                const harness::instruments& instruments);

}  // namespace ridge::app
