// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/device/generate.hpp>

namespace ridge::device {

// A permutation of 0 .. count-1 chosen by a key, evaluated at any index without memory: a Feistel network of
// eight rounds on the smallest power of two that holds `count`, walked until the value is below `count`
// (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002); under two walks on average.
class shuffle {
 public:
  // The permutation of 0 .. count-1 that `key` chooses.
  constexpr shuffle(std::uint64_t key, std::uint64_t count) : count_(count) {
    std::uint32_t bits = 2;
    while (bits < 64 && (std::uint64_t{1} << bits) < count) ++bits;
    low_bits_ = bits / 2;
    low_mask_ = static_cast<std::uint32_t>((std::uint64_t{1} << low_bits_) - 1);
    high_mask_ = static_cast<std::uint32_t>((std::uint64_t{1} << (bits - low_bits_)) - 1);
    for (std::uint32_t i = 0; i < rounds; ++i) {
      round_key_[i] = block_at(key, i / 4, purpose::shuffles).word[i % 4];
    }
  }

  // Where `index` (below count) goes.
  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t index) const {
    do index = once(index);
    while (index >= count_);
    return index;
  }

 private:
  static constexpr std::uint32_t rounds = 8;

  [[nodiscard]] static constexpr std::uint32_t mixed(std::uint32_t x, std::uint32_t key) {
    x = (x + key) * 0x7FEB352Du;
    x = (x ^ x >> 15) * 0x846CA68Bu;
    return x ^ x >> 16;
  }

  [[nodiscard]] constexpr std::uint64_t once(std::uint64_t index) const {
    auto low = static_cast<std::uint32_t>(index) & low_mask_;
    auto high = static_cast<std::uint32_t>(index >> low_bits_) & high_mask_;
    for (std::uint32_t i = 0; i < rounds; i += 2) {
      low ^= mixed(high, round_key_[i]) & low_mask_;
      high ^= mixed(low, round_key_[i + 1]) & high_mask_;
    }
    return std::uint64_t{high} << low_bits_ | low;
  }

  std::uint64_t count_;
  std::uint32_t low_bits_ = 1, low_mask_ = 1, high_mask_ = 1;
  std::uint32_t round_key_[rounds] = {};
};

}  // namespace ridge::device
