// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace ridge::backends::probe_host {

// Elements are a multiple of 64, arrays aligned to 64 bytes.
using array_kernel = void (*)(float* a, const float* b, const float* c, std::size_t elements);

// One set of loops over memory for one instruction set. Non-temporal stores bypass the caches, so that a line
// is not read before it is written; they are fenced at the end.
struct memory_kernels {
  std::string_view name;
  std::string_view requires_isa;  // empty: every CPU
  array_kernel triad;             // a = b + 3 c
  array_kernel triad_streaming;
  array_kernel copy;  // a = b
  array_kernel copy_streaming;
  array_kernel read;  // a[0..16) = partial sums of b
};

// Widest first; the last runs everywhere.
[[nodiscard]] std::span<const memory_kernels* const> all_memory_kernels();
// The widest this CPU runs.
[[nodiscard]] const memory_kernels& best_memory_kernels();

extern const memory_kernels portable_memory_kernels;
#if defined(__x86_64__)
extern const memory_kernels avx2_memory_kernels;
extern const memory_kernels avx512_memory_kernels;
#endif

}  // namespace ridge::backends::probe_host
