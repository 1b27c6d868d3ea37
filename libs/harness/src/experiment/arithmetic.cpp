// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/arithmetic.hpp>

#include <array>

namespace ridge {

std::string_view name(arithmetic type) {
  constexpr std::array<std::string_view, 7> names{"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8"};
  return names[static_cast<std::size_t>(type)];
}

double unit_roundoff(arithmetic type) {
  constexpr std::array roundoffs{0x1p-53, 0x1p-24, 0x1p-11, 0x1p-8, 0x1p-11, 0x1p-4, 0x1p-7};
  return roundoffs[static_cast<std::size_t>(type)];
}

}  // namespace ridge
