// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace ridge::app_plan {

// The file in which `ridge plan measure` keeps the kernels of a GPU of the catalogue; it need not exist.
[[nodiscard]] std::filesystem::path kept_kernels_of(std::string_view gpu);

}  // namespace ridge::app_plan
