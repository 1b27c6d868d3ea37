// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

// Kernels of one thread that follows pointers, so that each load waits for its predecessor.
namespace ridge::backends::probe_cuda {

inline constexpr std::size_t line_bytes = 128;
inline constexpr unsigned unrolled = 32;

// The result of a chase: the place of the last pointer, and the duration by both clocks.
struct chase_result {
  std::uint64_t place = 0, cycles = 0, nanoseconds = 0;
};

// Place k of a random permutation of 0..count-1, for counts from 1 to 2^32: an invertible mix of the bits of
// the next power of two, applied until the result is below count.
[[nodiscard]] std::uint64_t place_in_order(std::uint64_t k, std::uint64_t count);

// Enqueues linking the lines of `array` to one cycle in a random order: the first word of each line is the
// address of the next.
void make_cycle(void* array, std::size_t bytes, cudaStream_t stream);

// Enqueues a chase that follows `before` pointers from `first` on and then `loads` more, of which only the
// latter are timed. Both numbers are multiples of `unrolled`.
void chase(const void* first, std::uint64_t before, std::uint64_t loads, chase_result* result,
           cudaStream_t stream);
// The same chase in shared memory (a cycle of 4 KiB) and in constant memory (a cycle of 1 KiB), from byte 0
// on. `place` is the byte offset of the last pointer, which is 0 when `loads` is a multiple of 1024.
void chase_in_shared(std::uint64_t loads, chase_result* result, cudaStream_t stream);
void chase_in_constant(std::uint64_t loads, chase_result* result, cudaStream_t stream);

}  // namespace ridge::backends::probe_cuda
