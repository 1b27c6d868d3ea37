// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/base/splitmix.hpp>

namespace ridge::plan::serve {

// A hash of two numbers that depends on their order.
[[nodiscard]] constexpr std::uint64_t mixed_bits(std::uint64_t a, std::uint64_t b) {
  return splitmix64(splitmix64(a) ^ b);
}

}  // namespace ridge::plan::serve
