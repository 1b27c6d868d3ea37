// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// C = A Bᵀ by dot products of rows, the same kernel in three types: tiles of sums in registers, vectors along
// k, nothing packed. A is m×k, B n×k, C m×n, row-major and dense; any size, one thread.
namespace ridge::cpu {

// With the widest vectors of this CPU; 16 products an instruction with AVX-512.
void dot_tiles_fp32(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b, float* c);

// Operands are the bits of bf16. 32 products an instruction; subnormals count as zero (AVX512_BF16,
// VDPBF16PS). Throws unavailable on a CPU without avx512_bf16.
void dot_tiles_bf16(std::int64_t m, std::int64_t n, std::int64_t k, const std::uint16_t* a,
                    const std::uint16_t* b, float* c);

// Unsigned by signed bytes, exact in int32 up to k = 2^16. 64 products an instruction (AVX512_VNNI,
// VPDPBUSD). Throws unavailable on a CPU without avx512_vnni.
void dot_tiles_int8(std::int64_t m, std::int64_t n, std::int64_t k, const std::uint8_t* a,
                    const std::int8_t* b, std::int32_t* c);

}  // namespace ridge::cpu
