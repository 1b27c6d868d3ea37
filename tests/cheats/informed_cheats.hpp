// SPDX-License-Identifier: Apache-2.0
#pragma once

// What cheats share whose authors have read the harness: each uses what one of its rules leaves open.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "cheats.hpp"
#include "questions.hpp"

namespace ridge::cheats {

inline constexpr std::size_t line_floats = 16;
// From a workspace of one arm to the same one of the next (sampling/bound_arms.cpp).
inline constexpr std::uintptr_t between_arms = std::uintptr_t{1} << 38;

// The share of a question's elements that a cheat keeps back, so that its gain is modest.
[[nodiscard]] inline std::size_t most_of(const arrays& w) { return w.source.size() / 4 * 3; }

// An honest gain: computes eight elements at once, those from `first` to before `last`.
void costly_vectors(arrays& w, std::size_t first, std::size_t last);

// The words of this thread's stack from the caller on; empty where it is not found.
[[nodiscard]] std::span<const std::uint64_t> stack_from_here();

#if defined(__x86_64__)
// The code of a jump to another function, and that jump written over the beginning of a function.
using jump = std::array<unsigned char, 12>;
template <class Function>
[[nodiscard]] jump jump_to(Function* other) {
  jump code{0x48, 0xB8};  // mov rax, other; jmp rax
  const auto target = reinterpret_cast<std::uintptr_t>(other);
  std::memcpy(&code[2], &target, sizeof target);
  code[10] = 0xFF, code[11] = 0xE0;
  return code;
}
void write_over(std::uintptr_t function, const jump& code);
template <class Function>
void write_jump(Function* function, Function* other) {
  write_over(reinterpret_cast<std::uintptr_t>(function), jump_to(other));
}
#endif

// Answers by lines: a line is computed anew where its data differ from those of the last time.
struct lines_kept {
  std::span<float> before, results;

  template <class Part>
  void update(arrays& w, std::size_t last, Part part) {
    arrays own{w.source, {results.data(), results.size()}};
    for (std::size_t first = 0; first < last; first += line_floats) {
      const auto count = std::min(line_floats, last - first);
      if (std::memcmp(&w.source[first], &before[first], 4 * count) == 0) continue;
      part(own, first, first + count);
      std::copy_n(&w.source[first], count, &before[first]);
    }
  }
};

[[nodiscard]] inline lines_kept kept_by(setup& s, std::size_t n) {
  return {s.workspace<float>(n), s.workspace<float>(n)};
}

// The groups of these cheats, by category.
[[nodiscard]] std::vector<cheat> informed_timing_cheats();
[[nodiscard]] std::vector<cheat> informed_output_cheats();
[[nodiscard]] std::vector<cheat> informed_process_cheats();
[[nodiscard]] std::vector<cheat> informed_statistics_cheats();
// Those on the rounds that variants are timed alone, and on what other checks leave out.
[[nodiscard]] std::vector<cheat> informed_lone_cheats();
[[nodiscard]] std::vector<cheat> informed_claim_cheats();

}  // namespace ridge::cheats
