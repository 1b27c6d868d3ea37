// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// What kernels' names reveal. A name that reveals nothing gives false.
namespace ridge::trace {

// Returns whether the kernel only reorders elements: a transpose or a change of layout.
[[nodiscard]] bool only_rearranges(std::string_view kernel);
// Returns whether the kernel multiplies on matrix units (tensor cores, MFMA).
[[nodiscard]] bool uses_matrix_units(std::string_view kernel);
// Returns whether the kernel multiplies fp32 as tf32.
[[nodiscard]] bool multiplies_tf32(std::string_view kernel);

}  // namespace ridge::trace
