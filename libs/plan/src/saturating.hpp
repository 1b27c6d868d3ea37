// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::plan {

// A count that stays at its ceiling instead of overflowing, so that absurd configurations are refused.
class saturating {
 public:
  static constexpr std::int64_t ceiling = std::int64_t{1} << 62;

  constexpr saturating(std::int64_t value) : value_(value) {}
  [[nodiscard]] constexpr std::int64_t value() const { return value_; }

  friend constexpr saturating operator+(saturating a, saturating b) {
    return a.value_ > ceiling - b.value_ ? ceiling : a.value_ + b.value_;
  }
  friend constexpr saturating operator*(saturating a, saturating b) {
    return b.value_ != 0 && a.value_ > ceiling / b.value_ ? ceiling : a.value_ * b.value_;
  }

 private:
  std::int64_t value_;  // 0 to ceiling
};

}  // namespace ridge::plan
