// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ridge::host {

// Returns the names of the NVIDIA GPUs that the driver shows below `root`/proc/driver/nvidia ("NVIDIA H200"),
// in the order of their bus addresses; empty without the driver. It opens nothing but text files.
[[nodiscard]] std::vector<std::string> gpu_models(const std::filesystem::path& root = "/");

}  // namespace ridge::host
