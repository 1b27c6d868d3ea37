// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace ridge::plan::serve {

// Division by the tokens of a block. They are almost always a power of two, and then a shift does it, which
// takes a tenth of a division's time; every request divides a dozen times.
class block_division {
 public:
  explicit block_division(std::uint32_t tokens)
      : tokens_(tokens), shift_(std::has_single_bit(tokens) ? std::countr_zero(tokens) : no_shift) {}
  [[nodiscard]] std::uint64_t quotient(std::uint64_t n) const {
    return shift_ != no_shift ? n >> shift_ : n / tokens_;
  }
  [[nodiscard]] std::uint32_t remainder(std::uint64_t n) const {
    return static_cast<std::uint32_t>(n - quotient(n) * tokens_);
  }
  // The quotient rounded up.
  [[nodiscard]] std::uint64_t covering(std::uint64_t n) const { return quotient(n + tokens_ - 1); }

 private:
  static constexpr int no_shift = -1;
  std::uint32_t tokens_;
  int shift_;
};

}  // namespace ridge::plan::serve
