// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

// Shared-memory matrix descriptors of wgmma (PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory
// Layout" and "Matrix Descriptor Format"), for host and device code.
namespace ridge::gpu {

// The swizzle modes of a descriptor: 16-byte parts of a row are permuted in a pattern of this width. The
// values are those of the descriptor's field.
enum class wgmma_swizzle : std::uint64_t { none = 0, bytes_128 = 1, bytes_64 = 2, bytes_32 = 3 };

// The 64-bit descriptor of an operand that begins at `shared_address`, a multiple of 16 below 2^18.
// `leading_bytes` and `stride_bytes` are the leading and stride byte offsets, multiples of 16 below 2^18.
[[nodiscard]] __host__ __device__ constexpr std::uint64_t wgmma_descriptor(std::uint32_t shared_address,
                                                                           std::uint32_t leading_bytes,
                                                                           std::uint32_t stride_bytes,
                                                                           wgmma_swizzle swizzle) {
  return std::uint64_t{(shared_address & 0x3FFFFU) >> 4} |
         std::uint64_t{(leading_bytes & 0x3FFFFU) >> 4} << 16 |
         std::uint64_t{(stride_bytes & 0x3FFFFU) >> 4} << 32 | static_cast<std::uint64_t>(swizzle) << 62;
}

// The descriptor of a K-major operand in rows of 128 bytes with 128-byte swizzle, whose groups of eight rows
// follow one another every 1024 bytes. The leading offset is not used by this layout and is 16 bytes.
[[nodiscard]] __host__ __device__ constexpr std::uint64_t wgmma_descriptor_128b_rows(
    std::uint32_t shared_address) {
  return wgmma_descriptor(shared_address, 16, 1024, wgmma_swizzle::bytes_128);
}

// Byte offset of 16-byte part `part` (0 to 7) of row `row` within such an operand: part and row % 8 are
// combined by exclusive or.
[[nodiscard]] __host__ __device__ constexpr std::uint32_t swizzled_128b_offset(std::uint32_t row,
                                                                               std::uint32_t part) {
  return row * 128 + ((part ^ (row & 7U)) << 4);
}

}  // namespace ridge::gpu
