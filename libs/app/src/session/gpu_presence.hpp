// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::app {

// Why no GPU can be used here, in words; empty where one can. Asks the driver only where there is one.
[[nodiscard]] std::string gpu_missing_because(const harness::instruments& instruments);

// Takes the families of the CUDA backend out where no GPU can be used; says how many and why, else nothing.
[[nodiscard]] std::string leave_out_missing_gpu(std::vector<harness::planned_family>& families,
                                                const harness::instruments& instruments);

}  // namespace ridge::app
