// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// Bulk copies from global to shared memory (cp.async.bulk), issued by one thread of a block, so many of so
// many bytes under way. From compute capability 9.0 on.
struct bulk_shape {
  std::string_view name;
  int stages;
  unsigned bytes;
  int blocks_a_processor;
};
inline constexpr int most_stages = 32;
inline constexpr std::array bulk_shapes{bulk_shape{"4 x 16 KiB", 4, 16384, 1},
                                        bulk_shape{"8 x 8 KiB", 8, 8192, 1},
                                        bulk_shape{"12 x 16 KiB", 12, 16384, 1},
                                        bulk_shape{"6 x 32 KiB", 6, 32768, 1},
                                        bulk_shape{"2 blocks of 6 x 16 KiB", 6, 16384, 2},
                                        bulk_shape{"4 blocks of 6 x 8 KiB", 6, 8192, 4},
                                        bulk_shape{"32 x 2 KiB", 32, 2048, 1}};

// Reads `bytes` at `from` (a multiple of the shape's) over and over, 64 copies a block and round; returns the
// bytes read, and writes to call.to, a float a block, the first byte of its first stage and 256 times the
// last byte of its last. A block that waited a second for a copy gives up and writes no span.
double read_in_bulk(const kernel_call& call, const void* source, std::size_t bytes, const bulk_shape& shape);

// One block, one copy after the other; returns how many.
double copy_one_after_another(const kernel_call& call, const void* source, unsigned bytes);

}  // namespace ridge::backends::probe_cuda
