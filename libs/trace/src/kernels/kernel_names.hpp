// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// What kernels' names tell. A name that says nothing gives false.
namespace ridge::trace {

// It only moves elements to another order: a transpose, a change of layout.
[[nodiscard]] bool only_rearranges(std::string_view kernel);
// It multiplies with matrix units (tensor cores, MFMA).
[[nodiscard]] bool uses_matrix_units(std::string_view kernel);
// It multiplies fp32 as tf32.
[[nodiscard]] bool multiplies_tf32(std::string_view kernel);

}  // namespace ridge::trace
