// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

// What tcgen05's matrix products are told of their operands (PTX ISA, "tcgen05 Shared Memory Descriptor",
// "Instruction descriptor", "Tensor Memory Addressing"), for host and device code.
namespace ridge::gpu {

// The swizzle modes of a descriptor; the values are those of its field. `bytes_128_by_32` permutes parts of
// 32 bytes, the others parts of 16.
enum class tcgen05_swizzle : std::uint64_t {
  none = 0,
  bytes_128_by_32 = 1,
  bytes_128 = 2,
  bytes_64 = 4,
  bytes_32 = 6
};

// The 64-bit descriptor of an operand that begins at `shared_address`, a multiple of 16 below 2^18.
// `leading_bytes` and `stride_bytes` are the leading and stride dimension byte offsets, multiples of 16 below
// 2^18. Bit 46 is a constant of the format.
[[nodiscard]] __host__ __device__ constexpr std::uint64_t tcgen05_descriptor(std::uint32_t shared_address,
                                                                             std::uint32_t leading_bytes,
                                                                             std::uint32_t stride_bytes,
                                                                             tcgen05_swizzle swizzle) {
  return std::uint64_t{(shared_address & 0x3FFFFU) >> 4} |
         std::uint64_t{(leading_bytes & 0x3FFFFU) >> 4} << 16 |
         std::uint64_t{(stride_bytes & 0x3FFFFU) >> 4} << 32 | std::uint64_t{1} << 46 |
         static_cast<std::uint64_t>(swizzle) << 61;
}

// The descriptor of a K-major operand in rows of 128 bytes with 128-byte swizzle (swizzled_128b_offset of
// wgmma_descriptor.hpp), whose groups of eight rows follow one another every 1024 bytes. The leading offset
// is not used by this layout and is 16 bytes.
[[nodiscard]] __host__ __device__ constexpr std::uint64_t tcgen05_descriptor_128b_rows(
    std::uint32_t shared_address) {
  return tcgen05_descriptor(shared_address, 16, 1024, tcgen05_swizzle::bytes_128);
}

// Types of sums and, for kind::f16 and kind::tf32, of operands; the values are those of the fields.
enum class tcgen05_sum : std::uint32_t { f16 = 0, f32 = 1 };
enum class tcgen05_operand : std::uint32_t { f16 = 0, bf16 = 1, tf32 = 2 };

// How an operand lies in shared memory: terms of a row follow one another, or rows of a term.
enum class tcgen05_order : std::uint32_t { by_terms = 0, by_rows = 1 };

// A dense product of `m` rows of a and `n` rows of b, whose signs are kept.
struct tcgen05_product {
  std::uint32_t m = 0, n = 0;
  tcgen05_sum sum{tcgen05_sum::f32};
  tcgen05_operand a{tcgen05_operand::bf16}, b{tcgen05_operand::bf16};
  tcgen05_order a_order{tcgen05_order::by_terms}, b_order{tcgen05_order::by_terms};
};

// The 32-bit instruction descriptor of that product.
[[nodiscard]] __host__ __device__ constexpr std::uint32_t tcgen05_instruction(const tcgen05_product& p) {
  return static_cast<std::uint32_t>(p.sum) << 4 | static_cast<std::uint32_t>(p.a) << 7 |
         static_cast<std::uint32_t>(p.b) << 10 | static_cast<std::uint32_t>(p.a_order) << 15 |
         static_cast<std::uint32_t>(p.b_order) << 16 | p.n >> 3 << 17 | p.m >> 4 << 24;
}

// Whether a dense product of kind::f16 or kind::tf32 by `blocks` blocks together (.cta_group) may have that
// shape.
[[nodiscard]] __host__ __device__ constexpr bool tcgen05_takes(unsigned blocks, std::uint32_t m,
                                                               std::uint32_t n) {
  if (n == 0 || n > 256) return false;
  if (blocks == 1) return (m == 64 && n % 8 == 0) || (m == 128 && n % 16 == 0);
  return blocks == 2 && (m == 128 || m == 256) && n % 32 == 0;
}

// Columns that must be allocated in order to have `columns` of a multiprocessor's 512: a power of two from 32
// on.
[[nodiscard]] __host__ __device__ constexpr std::uint32_t tensor_memory_columns(std::uint32_t columns) {
  std::uint32_t allocated = 32;
  while (allocated < columns) allocated *= 2;
  return allocated;
}

// The address of so many lanes and columns behind the address `begin` in tensor memory.
[[nodiscard]] __host__ __device__ constexpr std::uint32_t tensor_memory_address(std::uint32_t begin,
                                                                                std::uint32_t lane,
                                                                                std::uint32_t column) {
  return begin + (lane << 16) + column;
}

}  // namespace ridge::gpu
