// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cheats.hpp"
#include "questions.hpp"

namespace ridge::cheats {

// The groups of cheats on timing besides those on calls: somebody else does the work; the clock is forged.
[[nodiscard]] std::vector<cheat> helper_cheats();
[[nodiscard]] std::vector<cheat> clock_cheats();

// What a process shares with another one that computes half of its work.
struct shared_half {
  static constexpr std::size_t most = 8192;
  std::atomic<std::uint32_t> count;  // of elements to compute; 0: done
  std::array<float, most> source, target;
};
// Maps one that processes forked later share, too.
[[nodiscard]] shared_half* map_shared_half();
// Computes whatever is asked for, on any processor, until somebody ends the process.
[[noreturn]] void serve(shared_half& half);
// Has the first half of the results computed elsewhere, beside the second.
void compute_with(shared_half& half, arrays& w);

}  // namespace ridge::cheats
