// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Matrix instructions of a warp (PTX ISA, ldmatrix, stmatrix, mma.sync). Every lane of the warp takes part
// and holds the fragments that the ISA describes.
//   mma_mMnNkK_SUM_TYPE(d, a, b)
// adds the product of M rows of a and N columns of b over K terms to d.
namespace ridge::gpu::ptx {

// ldmatrix: loads four matrices of 8 x 8 two-byte elements into w0 to w3; lane l passes the shared address of
// row l % 8 of matrix l / 8.
__device__ inline void ldmatrix_x4(std::uint32_t row_address, std::uint32_t& w0, std::uint32_t& w1,
                                   std::uint32_t& w2, std::uint32_t& w3) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(w0), "=r"(w1), "=r"(w2), "=r"(w3)
               : "r"(row_address)
               : "memory");
}

// ldmatrix.trans: the same, each matrix transposed.
__device__ inline void ldmatrix_x4_transposed(std::uint32_t row_address, std::uint32_t& w0, std::uint32_t& w1,
                                              std::uint32_t& w2, std::uint32_t& w3) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(w0), "=r"(w1), "=r"(w2), "=r"(w3)
               : "r"(row_address)
               : "memory");
}

#if __CUDA_ARCH__ >= 900
// stmatrix: stores four such matrices to shared memory, with the same addresses. Compute capability 9.0.
__device__ inline void stmatrix_x4(std::uint32_t row_address, std::uint32_t w0, std::uint32_t w1,
                                   std::uint32_t w2, std::uint32_t w3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row_address), "r"(w0),
               "r"(w1), "r"(w2), "r"(w3)
               : "memory");
}
#endif

#define RIDGE_MMA(name, sum, bound, instruction)                                                    \
  __device__ inline void name(sum(&d)[4], const std::uint32_t(&a)[4], const std::uint32_t(&b)[2]) { \
    asm volatile("mma.sync.aligned." instruction                                                    \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                 \
                 : bound(d[0]), bound(d[1]), bound(d[2]), bound(d[3])                               \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));               \
  }
RIDGE_MMA(mma_m16n8k16_f32_bf16, float, "+f", "m16n8k16.row.col.f32.bf16.bf16.f32")
RIDGE_MMA(mma_m16n8k16_f32_f16, float, "+f", "m16n8k16.row.col.f32.f16.f16.f32")
RIDGE_MMA(mma_m16n8k8_f32_tf32, float, "+f", "m16n8k8.row.col.f32.tf32.tf32.f32")
RIDGE_MMA(mma_m16n8k32_s32_s8, std::int32_t, "+r", "m16n8k32.row.col.s32.s8.s8.s32")
#if __CUDA_ARCH__ >= 890
// Compute capability 8.9.
RIDGE_MMA(mma_m16n8k32_f32_e4m3, float, "+f", "m16n8k32.row.col.f32.e4m3.e4m3.f32")
#endif
#undef RIDGE_MMA

#if __CUDA_ARCH__ >= 900
// fp64, 16 x 8 sums over 16 terms. Compute capability 9.0.
__device__ inline void mma_m16n8k16_f64(double (&d)[4], const double (&a)[8], const double (&b)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, "
      "%11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
        "d"(b[1]), "d"(b[2]), "d"(b[3]));
}
#endif

// fp64, 8 x 8 sums over 4 terms.
__device__ inline void mma_m8n8k4_f64(double (&d)[2], const double (&a)[1], const double (&b)[1]) {
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(d[0]), "+d"(d[1])
               : "d"(a[0]), "d"(b[0]));
}

}  // namespace ridge::gpu::ptx
