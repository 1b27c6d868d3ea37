// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

// One thread that follows pointers: each load waits for the one before.
namespace ridge::backends::probe_cuda {

inline constexpr std::size_t line_bytes = 128;
inline constexpr unsigned unrolled = 32;

// What a chase wrote: where it came to, and the clocks around it.
struct chase_result {
  std::uint64_t at = 0, cycles = 0, nanoseconds = 0;
};

// Place k of a random order of 0..count-1, of which each occurs once: an invertible mix of the bits of the
// next power of two, applied until it falls below count. count: 1 to 2^32.
[[nodiscard]] std::uint64_t place_in_order(std::uint64_t k, std::uint64_t count);

// Makes the lines of `array` one cycle in a random order: the first word of each is the address of the next.
void make_cycle(void* array, std::size_t bytes, cudaStream_t on);

// Follows `before` pointers from `from` on, then `loads` more, which alone are timed, by one thread of one
// block. Both are multiples of `unrolled`.
void chase(const void* from, std::uint64_t before, std::uint64_t loads, chase_result* result,
           cudaStream_t on);
// The same within shared memory (a cycle of 4 KiB) and within constant memory (one of 1 KiB), from byte 0 of
// it; `at` is the byte where it came to: 0 again when `loads` is a multiple of 1024.
void chase_in_shared(std::uint64_t loads, chase_result* result, cudaStream_t on);
void chase_in_constant(std::uint64_t loads, chase_result* result, cudaStream_t on);

}  // namespace ridge::backends::probe_cuda
