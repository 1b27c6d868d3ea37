// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/harness/workload.hpp>

// The steps of work that the pitfalls time, and what these do to memory.
namespace ridge::experiments::ch01_timing_pitfalls {

// In memory_steps.cpp, a unit of its own: an optimizer that saw a step and its caller at once could leave the
// step out. The step of three pitfalls: target[i] = 0.5 source[i].
void halve(std::span<const float> source, std::span<float> target);

// Writes the lines of `data` back to memory and drops them from every cache of the machine (x86-64: CLFLUSH,
// AArch64: DC CIVAC; elsewhere nothing happens).
void flush_lines(std::span<const std::byte> data);

// Zeroed memory that nobody has touched: the first access to each page faults. Throws std::bad_alloc.
class fresh_pages {
 public:
  explicit fresh_pages(std::size_t elements);
  ~fresh_pages();
  fresh_pages(const fresh_pages&) = delete;
  fresh_pages& operator=(const fresh_pages&) = delete;
  [[nodiscard]] std::span<float> elements() const { return {data_, count_}; }

 private:
  std::size_t count_;
  float* data_;
};

// The step of `zero_indices`: result[i] = data[slot_of(key, next key, n)], with the keys taken from `data`
// too. Zeros go to slot 0; neighbouring random numbers to any of the n slots.
[[nodiscard]] constexpr std::size_t slot_of(float key, float next, std::size_t n) {
  const std::uint32_t mixed = std::bit_cast<std::uint32_t>(key) * 0x9E3779B1U ^
                              std::rotl(std::bit_cast<std::uint32_t>(next) * 0x85EBCA77U, 13);
  return static_cast<std::size_t>(std::uint64_t{mixed} * n >> 32);
}

// In kernels.cu. Enqueues target[i] = 0.5 source[i].
void launch_halving(std::span<const float> source, std::span<float> target, stream queue);

inline constexpr unsigned slices = 16;
enum class visits { one_slice_again_and_again, every_slice_once };
// Enqueues as much halving in one kernel, a sixteenth of the data after the other, past the first-level
// caches: of the first sixteenth 16 times, or of all of them.
void launch_halving_in_slices(std::span<const float> source, std::span<float> target, visits order,
                              stream queue);

// Enqueues result[i] = table[slot_of(keys[i], keys[i + 1], n)]; all three hold n elements.
void launch_look_up(std::span<const float> table, std::span<const float> keys, std::span<float> result,
                    stream queue);

}  // namespace ridge::experiments::ch01_timing_pitfalls
