// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ridge::host {

// Returns the version of the NVIDIA driver that is loaded ("580.65.06"), as its kernel module tells it below
// `root`/proc/driver/nvidia; empty without the driver. It opens nothing but a text file.
[[nodiscard]] std::string gpu_driver(const std::filesystem::path& root = "/");

}  // namespace ridge::host
