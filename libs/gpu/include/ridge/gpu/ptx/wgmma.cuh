// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Asynchronous matrix products of a warpgroup of 128 threads (PTX ISA, wgmma). Operands are in shared memory,
// named by descriptors (wgmma_descriptor.hpp); the first may be in registers instead. Compute capability 9.0,
// architecture-specific code (sm_90a).
//   wgmma_m64nNkK_SUM_TYPE(d, a, b, scale_d)
// adds the product of 64 rows of a and N columns of b over K terms, which are 32 bytes of a row, to d. With
// scale_d 0 the product replaces d. `d` must not be accessed between wgmma_fence and the wgmma_wait_group
// that completes the product's group.
namespace ridge::gpu::ptx {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// wgmma.fence: orders earlier accesses to registers and shared memory before the products that follow.
__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

// wgmma.commit_group: makes one group of the products begun since the previous group.
__device__ inline void wgmma_commit_group() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// wgmma.wait_group: waits until all but the last `Pending` groups are complete.
template <int Pending>
__device__ void wgmma_wait_group() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

#define RIDGE_NAMES_64                                                               \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "           \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define RIDGE_NAMES_128                                                                          \
  RIDGE_NAMES_64                                                                                 \
  ", "                                                                                           \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "             \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "             \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define RIDGE_4(c, i) c(d[i]), c(d[(i) + 1]), c(d[(i) + 2]), c(d[(i) + 3])
#define RIDGE_16(c, i) RIDGE_4(c, i), RIDGE_4(c, (i) + 4), RIDGE_4(c, (i) + 8), RIDGE_4(c, (i) + 12)
#define RIDGE_64(c, i) RIDGE_16(c, i), RIDGE_16(c, (i) + 16), RIDGE_16(c, (i) + 32), RIDGE_16(c, (i) + 48)
#define RIDGE_128(c, i) RIDGE_64(c, i), RIDGE_64(c, (i) + 64)

// d: `count` sums named `names` and bound by `bound`; the operands behind them are numbered p0 to p5. The
// tails hold the scales of a and b and, for two-byte types, their transpositions.
#define RIDGE_WGMMA(name, sum, count, names, bound, instruction, p0, p1, p2, p3, p4, p5, tail,            \
                    tail_registers)                                                                       \
  __device__ inline void name(sum(&d)[count], std::uint64_t a, std::uint64_t b, int scale_d) {            \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, " p2 ", 0; wgmma.mma_async.sync.aligned." instruction    \
                 " {" names "}, " p0 ", " p1 ", p" tail "; }"                                             \
                 : bound                                                                                  \
                 : "l"(a), "l"(b), "r"(scale_d));                                                         \
  }                                                                                                       \
  __device__ inline void name(sum(&d)[count], const std::uint32_t(&a)[4], std::uint64_t b, int scale_d) { \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, " p5 ", 0; wgmma.mma_async.sync.aligned." instruction    \
                 " {" names "}, {" p0 ", " p1 ", " p2 ", " p3 "}, " p4 ", p" tail_registers "; }"         \
                 : bound                                                                                  \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d));                     \
  }
#define RIDGE_WGMMA_64(name, sum, letter, instruction, tail, tail_registers)                               \
  RIDGE_WGMMA(name, sum, 64, RIDGE_NAMES_64, RIDGE_64(letter, 0), instruction, "%64", "%65", "%66", "%67", \
              "%68", "%69", tail, tail_registers)
#define RIDGE_WGMMA_128(name, sum, letter, instruction, tail, tail_registers)                             \
  RIDGE_WGMMA(name, sum, 128, RIDGE_NAMES_128, RIDGE_128(letter, 0), instruction, "%128", "%129", "%130", \
              "%131", "%132", "%133", tail, tail_registers)

RIDGE_WGMMA_64(wgmma_m64n128k16_f32_bf16, float, "+f", "m64n128k16.f32.bf16.bf16", ", 1, 1, 0, 0",
               ", 1, 1, 0")
RIDGE_WGMMA_64(wgmma_m64n128k32_f32_e4m3, float, "+f", "m64n128k32.f32.e4m3.e4m3", ", 1, 1", ", 1, 1")
RIDGE_WGMMA_64(wgmma_m64n256k16_f16_f16, std::uint32_t, "+r", "m64n256k16.f16.f16.f16", ", 1, 1, 0, 0",
               ", 1, 1, 0")
RIDGE_WGMMA_128(wgmma_m64n256k16_f32_bf16, float, "+f", "m64n256k16.f32.bf16.bf16", ", 1, 1, 0, 0",
                ", 1, 1, 0")
RIDGE_WGMMA_128(wgmma_m64n256k16_f32_f16, float, "+f", "m64n256k16.f32.f16.f16", ", 1, 1, 0, 0", ", 1, 1, 0")
RIDGE_WGMMA_128(wgmma_m64n256k8_f32_tf32, float, "+f", "m64n256k8.f32.tf32.tf32", ", 1, 1", ", 1, 1")
RIDGE_WGMMA_128(wgmma_m64n256k32_f32_e4m3, float, "+f", "m64n256k32.f32.e4m3.e4m3", ", 1, 1", ", 1, 1")
RIDGE_WGMMA_128(wgmma_m64n256k32_s32_s8, std::int32_t, "+r", "m64n256k32.s32.s8.s8", "", "")

#undef RIDGE_WGMMA_128
#undef RIDGE_WGMMA_64
#undef RIDGE_WGMMA
#undef RIDGE_128
#undef RIDGE_64
#undef RIDGE_16
#undef RIDGE_4
#undef RIDGE_NAMES_128
#undef RIDGE_NAMES_64

#endif

}  // namespace ridge::gpu::ptx
