// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/probe/synthetic.hpp>

namespace ridge::app {

// Return kernels of known intensity for the CPU and for the GPU; the latter is null in a build without CUDA.
[[nodiscard]] std::unique_ptr<probe::intensity_sweeper> cpu_sweeper();
[[nodiscard]] std::unique_ptr<probe::intensity_sweeper> gpu_sweeper();

}  // namespace ridge::app
