// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace ridge::plan::serve {

// The step in which each sequence ends: lists by step modulo the size of the wheel, linked through the
// sequences.
class finish_wheel {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;
  static constexpr std::uint64_t turn = 1024;

  finish_wheel() { clear(); }
  void clear() {
    heads_.fill(none);
    used_.fill(0);
  }
  [[nodiscard]] std::uint32_t& head(std::uint64_t step) { return heads_[step % turn]; }
  void mark(std::uint64_t step) { used_[step % turn / 64] |= 1ULL << (step % 64); }
  void unmark(std::uint64_t step) { used_[step % turn / 64] &= ~(1ULL << (step % 64)); }
  // Steps until the next one in which a sequence may end (1: the next step), at most the size of the wheel.
  [[nodiscard]] std::uint64_t distance(std::uint64_t step) const {
    const auto first = (step + 1) % turn;
    auto word = first / 64;
    auto bits = used_[word] >> (first % 64);
    if (bits != 0) {
      return 1 + static_cast<std::uint64_t>(std::countr_zero(bits));
    }
    auto passed = 64 - first % 64;
    for (std::uint64_t i = 0; i < used_.size(); ++i, passed += 64) {
      word = (word + 1) % used_.size();
      if (used_[word] != 0) {
        return 1 + passed + static_cast<std::uint64_t>(std::countr_zero(used_[word]));
      }
    }
    return turn;
  }

 private:
  std::array<std::uint32_t, turn> heads_{};
  std::array<std::uint64_t, turn / 64> used_{};
};

}  // namespace ridge::plan::serve
