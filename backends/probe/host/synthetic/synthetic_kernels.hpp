// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace ridge::backends::probe_host {

// Every kernel takes whole blocks.
inline constexpr std::size_t synthetic_block = 768;  // elements

// The final values of the accumulators of a kernel; unused ones are zero.
struct alignas(64) synthetic_result {
  std::array<float, 192> lanes{};
};

// Where a stream lies: in a cache, or in memory, from which it is prefetched.
enum class from : bool { cache, memory };

// Reads x `rounds` times and does exactly `fma_per_element` multiply-adds on every element: all but the last
// are y <- factor y + addend, the last is sum <- factor y + sum, in independent chains. Without multiply-adds
// it combines the bits of all elements by exclusive or. x is aligned to 64 bytes.
struct synthetic_kernel {
  int fma_per_element = 0;
  void (*run)(const float* x, std::size_t elements, std::size_t rounds, synthetic_result& result) = nullptr;
};
inline constexpr float synthetic_factor = 1.0f - 0x1p-10f, synthetic_addend = 0x1p-11f;

// Returns kernels of 0, 1, 2, 4 ... 256 multiply-adds, for the widest instruction set of this CPU that has
// them; empty where none does (AVX-512, AVX2).
[[nodiscard]] std::span<const synthetic_kernel> synthetic_kernels(from start);
[[nodiscard]] std::span<const synthetic_kernel> synthetic_kernels_avx2(from start);
[[nodiscard]] std::span<const synthetic_kernel> synthetic_kernels_avx512(from start);

// Returns whether `found` is the result of the kernel on these elements after one round, computed again in
// fp64.
[[nodiscard]] bool is_right(const synthetic_kernel& kernel, std::span<const float> x,
                            const synthetic_result& found);

}  // namespace ridge::backends::probe_host
