// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/gpu/memory.hpp>

#include "matrix_units/fill_operands.hpp"

namespace ridge::backends::probe_cuda {

// Device memory that is divided into sets of operands, so that a chain of calls finds none of them in the L2.
class operand_pool final {
 public:
  // Allocates half of the free memory of the current device, at most 16 GiB. Throws as gpu::check does.
  operand_pool();

  // One division: `sets` sets of `bytes` each, aligned to 256 bytes.
  struct division {
    std::byte* first = nullptr;
    std::size_t bytes = 0;
    int sets = 0;
    // The address at `offset` of a set.
    [[nodiscard]] std::byte* at(int set, std::size_t offset = 0) const {
      return first + static_cast<std::size_t>(set) * bytes + offset;
    }
  };
  // Divides the pool into as many sets as exceed the L2 four times, 2 to 512, and fills them with numbers of
  // this type. Throws unavailable where two sets do not fit.
  [[nodiscard]] division divide(std::size_t bytes_of_a_set, element type);

 private:
  gpu::device_memory memory_;
  std::size_t cache_bytes_ = 0;
};

// A size rounded up to the alignment of operands.
[[nodiscard]] constexpr std::size_t aligned_bytes(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

}  // namespace ridge::backends::probe_cuda
