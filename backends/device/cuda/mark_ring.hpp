// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::backends::device_cuda {

// Numbers for marks and their places in a ring of `size` >= 1 events; the oldest mark makes room for a new
// one.
class mark_ring {
 public:
  explicit mark_ring(std::size_t size) : size_(size) {}
  // The number of a new mark, and the place of a mark in the ring.
  [[nodiscard]] std::uint64_t take() { return next_++; }
  [[nodiscard]] std::size_t place(std::uint64_t mark) const { return mark % size_; }
  // Whether this mark was taken and no other has taken its place since.
  [[nodiscard]] bool holds(std::uint64_t mark) const { return mark < next_ && next_ - mark <= size_; }

 private:
  std::uint64_t size_;
  std::uint64_t next_ = 0;
};

}  // namespace ridge::backends::device_cuda
