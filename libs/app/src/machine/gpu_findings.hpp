// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "machine/finding.hpp"

namespace ridge::app {

// Returns findings about the CUDA toolkit of this build, the GPUs and the driver, and the libraries of NVIDIA
// that are opened on first use. It opens the libraries and asks the driver only for text: only child
// processes open a GPU (decision 0005).
[[nodiscard]] std::vector<finding> gpu_findings();

}  // namespace ridge::app
