// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>

namespace ridge {

// What the elements of a generated array are drawn from. Every value is a pure function of (distribution,
// dtype, key, index), bit for bit the same on every compiler, instruction set and device (decision 0021).
struct normal {
  double mean = 0, sigma = 1;
};  // sum of twelve 16-bit uniforms: |x - mean| <= 6 sigma
struct uniform {
  double lo = 0, hi = 1;
};  // [lo, hi)
struct integers {
  std::uint64_t below = 2;
};  // 0 .. below-1
struct constant {
  double value = 0;
};
struct permutation {};  // each of 0 .. count-1 once, by a Feistel network
struct random_bits {};  // every bit drawn; only for unsigned types
// Filled on the host as a whole (CSR, page tables, weights): receives the array's bytes and the key.
struct filled_by {
  std::function<void(std::span<std::byte>, std::uint64_t)> fill{};
};

using distribution = std::variant<normal, uniform, integers, constant, permutation, random_bits, filled_by>;

[[nodiscard]] std::string text(const distribution& d);  // "normal(0, 1)"

}  // namespace ridge
