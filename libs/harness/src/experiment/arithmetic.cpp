// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/arithmetic.hpp>

#include <array>

namespace ridge {

std::string_view name(arithmetic type) {
  constexpr std::array<std::string_view, 7> names{"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8"};
  return names[static_cast<std::size_t>(type)];
}

}  // namespace ridge
