// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace ridge::backends::probe_host {

// Repeats the loop `passes` times; elements are a multiple of 128, arrays are aligned to 64 bytes.
using array_kernel = void (*)(float* a, const float* b, const float* c, std::size_t elements,
                              std::size_t passes);
inline constexpr std::size_t kernel_block = 128;

// One variant of a loop over the same arrays: its number of streams, and how far ahead lines are prefetched.
struct array_variant {
  std::string_view name;
  array_kernel run;
};
using variants = std::span<const array_variant>;

// The loops over memory of one instruction set. Non-temporal stores bypass the caches, so that a line is not
// read before it is written; they are fenced at the end. The first variant of each loop is the plain one; the
// list is empty where the instruction set has no such stores.
struct memory_kernels {
  std::string_view name;
  std::string_view requires_isa;    // empty: every CPU
  variants triad, triad_streaming;  // a = b + 3 c
  variants copy, copy_streaming;    // a = b
  variants write, write_streaming;  // a = 3
  variants read;                    // a[0..16) = partial sums of b, both as 32-bit integers
  array_kernel load;                // a[0..8) = the last eight of b, after all others
  array_kernel update;              // a = 3 a
  array_kernel add;                 // a = a + b
  array_kernel add_both;            // a = a + b + 3 c
};

// Returns the loops of every instruction set, the widest first; the last run on every CPU.
[[nodiscard]] std::span<const memory_kernels* const> all_memory_kernels();
// Returns the widest loops that this CPU can run.
[[nodiscard]] const memory_kernels& best_memory_kernels();

extern const memory_kernels portable_memory_kernels;
#if defined(__x86_64__)
extern const memory_kernels avx2_memory_kernels;
extern const memory_kernels avx512_memory_kernels;
#endif

// Move bytes as a program would: by the C library, and by the instruction of the processor where it has one.
void copy_by_memcpy(float* a, const float* b, const float* c, std::size_t elements, std::size_t passes);
void copy_by_rep_movsb(float* a, const float* b, const float* c, std::size_t elements, std::size_t passes);

}  // namespace ridge::backends::probe_host
