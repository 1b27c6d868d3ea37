// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/gpu/bf16x2.cuh>

#include "packed.hpp"

// Four-bit codes in words of eight, to four registers of two bf16 numbers each: what one lane of a warp
// holds of 16 rows and 16 terms of the first operand of a matrix instruction. Registers 0 and 2 belong to the
// lane's first row, 1 and 3 to the one eight further on.
namespace ridge::experiments::ch09_w4a16_gemm {

// Codes of two neighbouring terms lie in the low and the high half of a word. Each half has the codes of the
// four registers. Where int4 codes lie: register r at bit 4 r. Where the bits s e e m of e2m1 codes lie: so
// that a shift brings s to bit 15 and e e m to bits 8 to 6, where they make a bf16 number 2^-126 times as
// large. Only three codes of four bits fit so; the last one is gathered from three places.
[[nodiscard]] __host__ __device__ constexpr std::uint32_t place(format f, std::uint32_t code, unsigned r) {
  if (f == format::int4) return code << (4 * r);
  const std::uint32_t sign = code >> 3, rest = code & 7U;
  return r < 3 ? (sign << 15 | rest << 6) >> (3 * r) : sign << 14 | (rest >> 2) << 13 | (rest & 3U) << 10;
}

#if __CUDA_ARCH__ >= 900

// (code - 8) exactly: a code in the low bits of the mantissa of 128 makes 128 + code.
__device__ inline void unpack_int4(std::uint32_t word, std::uint32_t (&a)[4]) {
#pragma unroll
  for (unsigned r = 0; r < 4; ++r)
    a[r] = gpu::sub_bf16x2((word >> (4 * r) & 0x000F000FU) | 0x43004300U, 0x43084308U);
}

// The factors of an e2m1 code for its scale: times 2^126, which undoes place(), times 2^-20, so that no
// product leaves the range of bf16. `after_fp4` is what remains for the sums.
inline constexpr float after_fp4 = 0x1p20F;

// The scales of the lane's two rows, in both halves of a word each. Products with them are exact in bf16:
// two significant bits of a code times four of e4m3, or times a power of two.
struct row_scales {
  std::uint32_t first, second;
};

// `pair`: the scales' bytes of the first row (low) and the second one.
__device__ inline row_scales nvfp4_scales(std::uint32_t pair) {
  const std::uint32_t bits = __byte_perm(pair, 0, 0x4140) << 4;  // 2^-120 times as large
  const std::uint32_t both = gpu::mul_bf16x2(gpu::mul_bf16x2(bits, 0x7F007F00U), 0x71007100U);
  return {__byte_perm(both, 0, 0x1010), __byte_perm(both, 0, 0x3232)};
}
// The same of exponents: 2^(byte - 127), for bytes 1 to 147.
__device__ inline row_scales mxfp4_scales(std::uint32_t pair) {
  const std::uint32_t both = gpu::mul_bf16x2(__byte_perm(pair, 0, 0x4140) << 7, 0x74807480U);
  return {__byte_perm(both, 0, 0x1010), __byte_perm(both, 0, 0x3232)};
}

__device__ inline void unpack_fp4(std::uint32_t word, row_scales s, std::uint32_t (&a)[4]) {
  constexpr std::uint32_t code = 0x81C081C0U;
  a[0] = gpu::mul_bf16x2(word & code, s.first);
  a[1] = gpu::mul_bf16x2(word << 3 & code, s.second);
  a[2] = gpu::mul_bf16x2(word << 6 & code, s.first);
  const std::uint32_t gathered =
      (word << 1 & 0x80008000U) | (word >> 5 & 0x01000100U) | (word >> 4 & 0x00C000C0U);
  a[3] = gpu::mul_bf16x2(gathered, s.second);
}

// Words of the scales of a lane's two rows in a tile.
template <format F>
inline constexpr unsigned words_of_scales = scale_bytes(F) / 32;

// The lane's codes of 16 terms, step `step` of the eight of a tile, to what a matrix instruction takes; of
// int4 without their scales.
template <format F>
__device__ void unpack(std::uint32_t codes, const std::uint32_t (&scales)[words_of_scales<F>], unsigned step,
                       std::uint32_t (&a)[4]) {
  if constexpr (F == format::int4) {
    unpack_int4(codes, a);
  } else {
    const unsigned s = step * 16 / terms_a_scale(F);  // two pairs a word
    const std::uint32_t pair = scales[s / 2] >> (16 * (s % 2));
    unpack_fp4(codes, F == format::nvfp4 ? nvfp4_scales(pair) : mxfp4_scales(pair), a);
  }
}

#endif

}  // namespace ridge::experiments::ch09_w4a16_gemm
