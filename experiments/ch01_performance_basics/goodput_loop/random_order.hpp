// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace ridge::experiments::ch01_goodput_loop {

// Sebastiano Vigna's splitmix64 (prng.di.unimi.it/splitmix64.c): integers only, the same everywhere.
class splitmix {
 public:
  explicit splitmix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  // 0 .. bound-1, biased by less than bound / 2^32.
  std::uint64_t below(std::uint64_t bound) { return ((*this)() >> 32U) * bound >> 32U; }

 private:
  std::uint64_t state_;
};

// order becomes a permutation of 0 .. size-1 that depends on the seed alone (Fisher-Yates).
inline void draw_order(std::span<std::uint32_t> order, std::uint64_t seed) {
  splitmix draw(seed);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
}

}  // namespace ridge::experiments::ch01_goodput_loop
