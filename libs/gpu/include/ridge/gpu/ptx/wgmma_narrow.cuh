// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// wgmma (see wgmma.cuh) for a second operand of few columns, the first operand in registers:
//   wgmma_f32_bf16(d, a, b, scale_d)
// adds the product of 64 rows of a and 8, 16, 32 or 64 columns of b over 16 terms to d, whose length is half
// the number of columns. Architecture-specific code (sm_90a).
namespace ridge::gpu::ptx {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

#define RIDGE_NAMES_4 "%0, %1, %2, %3"
#define RIDGE_NAMES_8 RIDGE_NAMES_4 ", %4, %5, %6, %7"
#define RIDGE_NAMES_16 RIDGE_NAMES_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define RIDGE_NAMES_32 \
  RIDGE_NAMES_16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define RIDGE_SUMS_4(i) "+f"(d[i]), "+f"(d[(i) + 1]), "+f"(d[(i) + 2]), "+f"(d[(i) + 3])
#define RIDGE_SUMS_8(i) RIDGE_SUMS_4(i), RIDGE_SUMS_4((i) + 4)
#define RIDGE_SUMS_16(i) RIDGE_SUMS_8(i), RIDGE_SUMS_8((i) + 8)
#define RIDGE_SUMS_32(i) RIDGE_SUMS_16(i), RIDGE_SUMS_16((i) + 16)
// The operands behind the sums are numbered p0 to p5.
#define RIDGE_WGMMA_NARROW(columns, count, p0, p1, p2, p3, p4, p5)                                     \
  __device__ inline void wgmma_f32_bf16(float(&d)[count], const std::uint32_t(&a)[4], std::uint64_t b, \
                                        int scale_d) {                                                 \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, " p5 ", 0; wgmma.mma_async.sync.aligned.m64n" columns \
                 "k16.f32.bf16.bf16 {" RIDGE_NAMES_##count "}, {" p0 ", " p1 ", " p2 ", " p3 "}, " p4  \
                                                           ", p, 1, 1, 0; }"                           \
                 : RIDGE_SUMS_##count(0)                                                               \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d));                  \
  }
RIDGE_WGMMA_NARROW("8", 4, "%4", "%5", "%6", "%7", "%8", "%9")
RIDGE_WGMMA_NARROW("16", 8, "%8", "%9", "%10", "%11", "%12", "%13")
RIDGE_WGMMA_NARROW("32", 16, "%16", "%17", "%18", "%19", "%20", "%21")
RIDGE_WGMMA_NARROW("64", 32, "%32", "%33", "%34", "%35", "%36", "%37")

#undef RIDGE_WGMMA_NARROW
#undef RIDGE_SUMS_32
#undef RIDGE_SUMS_16
#undef RIDGE_SUMS_8
#undef RIDGE_SUMS_4
#undef RIDGE_NAMES_32
#undef RIDGE_NAMES_16
#undef RIDGE_NAMES_8
#undef RIDGE_NAMES_4

#endif

}  // namespace ridge::gpu::ptx
