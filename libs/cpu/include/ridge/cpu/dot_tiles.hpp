// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// C = A Bᵀ by dot products of rows, the same kernel in three types: tiles of sums in registers, vectors along
// k, no packing. A is m×k, B is n×k and C is m×n, row-major and dense, of any size. The calling thread
// computes alone.
namespace ridge::cpu {

// fp32 with the widest vectors of this CPU: 16 products per instruction with AVX-512.
void dot_tiles_fp32(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b, float* c);

// bf16 operands, given as their bits, and fp32 sums: 32 products per instruction; subnormal numbers count as
// zero (AVX512_BF16, VDPBF16PS). Throws unavailable on a CPU without avx512_bf16.
void dot_tiles_bf16(std::int64_t m, std::int64_t n, std::int64_t k, const std::uint16_t* a,
                    const std::uint16_t* b, float* c);

// Unsigned by signed bytes with int32 sums, exact up to k = 2^16: 64 products per instruction (AVX512_VNNI,
// VPDPBUSD). Throws unavailable on a CPU without avx512_vnni.
void dot_tiles_int8(std::int64_t m, std::int64_t n, std::int64_t k, const std::uint8_t* a,
                    const std::int8_t* b, std::int32_t* c);

}  // namespace ridge::cpu
