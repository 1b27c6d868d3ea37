// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// A variant of bulk copies from global to shared memory (cp.async.bulk), which one thread per block issues:
// `stages` copies of `bytes` are in flight at once. From compute capability 9.0 on.
struct bulk_shape {
  std::string_view name;
  int stages;
  unsigned bytes;
  int blocks_per_processor;
};
inline constexpr int most_stages = 32;
inline constexpr std::array bulk_shapes{bulk_shape{"4 x 16 KiB", 4, 16384, 1},
                                        bulk_shape{"8 x 8 KiB", 8, 8192, 1},
                                        bulk_shape{"12 x 16 KiB", 12, 16384, 1},
                                        bulk_shape{"6 x 32 KiB", 6, 32768, 1},
                                        bulk_shape{"2 blocks of 6 x 16 KiB", 6, 16384, 2},
                                        bulk_shape{"4 blocks of 6 x 8 KiB", 6, 8192, 4},
                                        bulk_shape{"32 x 2 KiB", 32, 2048, 1}};

// Enqueues reading `bytes` at `source`, a multiple of the shape's bytes, repeatedly with 64 copies per block
// and round; returns the bytes read. Each block writes one float to call.results: the first byte of its first
// stage plus 256 times the last byte of its last stage. A block that waits more than a second for a copy ends
// and writes no span.
double read_in_bulk(const kernel_call& call, const void* source, std::size_t bytes, const bulk_shape& shape);

// Enqueues copies of `bytes` at `source` by one block, one after the other; returns their number.
double copy_one_after_another(const kernel_call& call, const void* source, unsigned bytes);

}  // namespace ridge::backends::probe_cuda
