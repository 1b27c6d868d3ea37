// SPDX-License-Identifier: Apache-2.0
#include "matrix_units/matrix_units.hpp"

namespace ridge::backends::probe_cuda {

std::string_view name(operand type) {
  constexpr std::array<std::string_view, operands.size()> names{"bf16", "fp16", "tf32",
                                                                "fp8",  "int8", "fp16.fp16acc"};
  return names[static_cast<std::size_t>(type)];
}

matrix_unit unit_for(operand type, int cc_major, int cc_minor) {
  if (cc_major == 9) return cc_minor == 0 ? matrix_unit::warpgroup : matrix_unit::none;
  if (cc_major == 12) return matrix_unit::warp;
  if (cc_major != 8) return matrix_unit::none;
  return type != operand::fp8 || cc_minor >= 9 ? matrix_unit::warp : matrix_unit::none;
}

}  // namespace ridge::backends::probe_cuda
