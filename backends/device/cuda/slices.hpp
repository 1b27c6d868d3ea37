// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::backends::device_cuda {

// How `count` elements in `blocks` equal parts are cut for summing: every part into `per_part` slices, one
// for a thread block. A function of the two numbers alone, so that sums repeat bit for bit.
struct slices {
  std::uint64_t count, part;      // elements in all, and elements of a part
  std::uint64_t per_part, slice;  // slices of a part, and elements of a slice

  static constexpr std::uint64_t least = 16384, most_per_part = 2048;
  static constexpr std::uint64_t quotient(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

  constexpr slices(std::uint64_t elements, std::uint64_t blocks)
      : count(elements), part(quotient(elements, blocks)), per_part(quotient(part, least)), slice(0) {
    if (per_part > most_per_part) per_part = most_per_part;
    if (per_part == 0) per_part = 1;
    slice = quotient(part, per_part);
  }
  // Elements [begin, end) of slice s of part b; the last ones may be shorter or empty.
  [[nodiscard]] constexpr std::uint64_t begin(std::uint64_t b, std::uint64_t s) const {
    const std::uint64_t inside = s * slice < part ? s * slice : part, at = b * part + inside;
    return at < count ? at : count;
  }
  [[nodiscard]] constexpr std::uint64_t end(std::uint64_t b, std::uint64_t s) const {
    return begin(b, s + 1);
  }
};

}  // namespace ridge::backends::device_cuda
