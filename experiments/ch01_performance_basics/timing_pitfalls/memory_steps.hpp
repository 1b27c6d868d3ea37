// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

// What pitfalls do to memory, in a unit of its own: an optimizer that saw a step and its caller at once could
// leave the step out.
namespace ridge::experiments::ch01_timing_pitfalls {

// The step of three of them: target[i] = 0.5 source[i].
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

}  // namespace ridge::experiments::ch01_timing_pitfalls
