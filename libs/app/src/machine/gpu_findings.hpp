// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "machine/finding.hpp"

namespace ridge::app {

// The toolkit of this build, the GPUs and the driver, and NVIDIA's libraries that are opened on first use.
// Opens the libraries and asks the driver for text alone: a GPU is opened by children only (decision 0005).
[[nodiscard]] std::vector<finding> gpu_findings();

}  // namespace ridge::app
