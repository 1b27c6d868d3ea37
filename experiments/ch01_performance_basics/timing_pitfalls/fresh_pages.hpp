// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ridge::experiments::ch01_timing_pitfalls {

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
