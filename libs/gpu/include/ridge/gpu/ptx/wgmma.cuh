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

// Keeps the compiler from moving an access to `d` across this point: the wait for a product names no
// register.
template <unsigned Count>
__device__ void wgmma_keep_order(float (&d)[Count]) {
#pragma unroll
  for (unsigned i = 0; i < Count; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

// Names and bindings of the first sums of a thread, by their number.
#define RIDGE_NAMES_32                                                     \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define RIDGE_NAMES_48 \
  RIDGE_NAMES_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define RIDGE_NAMES_56 RIDGE_NAMES_48 ", %48, %49, %50, %51, %52, %53, %54, %55"
#define RIDGE_NAMES_64 RIDGE_NAMES_56 ", %56, %57, %58, %59, %60, %61, %62, %63"
#define RIDGE_NAMES_72 RIDGE_NAMES_64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define RIDGE_NAMES_80 RIDGE_NAMES_72 ", %72, %73, %74, %75, %76, %77, %78, %79"
#define RIDGE_NAMES_88 RIDGE_NAMES_80 ", %80, %81, %82, %83, %84, %85, %86, %87"
#define RIDGE_NAMES_96 RIDGE_NAMES_88 ", %88, %89, %90, %91, %92, %93, %94, %95"
#define RIDGE_NAMES_104 RIDGE_NAMES_96 ", %96, %97, %98, %99, %100, %101, %102, %103"
#define RIDGE_NAMES_112 RIDGE_NAMES_104 ", %104, %105, %106, %107, %108, %109, %110, %111"
#define RIDGE_NAMES_120 RIDGE_NAMES_112 ", %112, %113, %114, %115, %116, %117, %118, %119"
#define RIDGE_NAMES_128 RIDGE_NAMES_120 ", %120, %121, %122, %123, %124, %125, %126, %127"
#define RIDGE_8(c, i)                                                                                \
  c(d[i]), c(d[(i) + 1]), c(d[(i) + 2]), c(d[(i) + 3]), c(d[(i) + 4]), c(d[(i) + 5]), c(d[(i) + 6]), \
      c(d[(i) + 7])
#define RIDGE_SUMS_32(c) RIDGE_8(c, 0), RIDGE_8(c, 8), RIDGE_8(c, 16), RIDGE_8(c, 24)
#define RIDGE_SUMS_48(c) RIDGE_SUMS_32(c), RIDGE_8(c, 32), RIDGE_8(c, 40)
#define RIDGE_SUMS_56(c) RIDGE_SUMS_48(c), RIDGE_8(c, 48)
#define RIDGE_SUMS_64(c) RIDGE_SUMS_56(c), RIDGE_8(c, 56)
#define RIDGE_SUMS_72(c) RIDGE_SUMS_64(c), RIDGE_8(c, 64)
#define RIDGE_SUMS_80(c) RIDGE_SUMS_72(c), RIDGE_8(c, 72)
#define RIDGE_SUMS_88(c) RIDGE_SUMS_80(c), RIDGE_8(c, 80)
#define RIDGE_SUMS_96(c) RIDGE_SUMS_88(c), RIDGE_8(c, 88)
#define RIDGE_SUMS_104(c) RIDGE_SUMS_96(c), RIDGE_8(c, 96)
#define RIDGE_SUMS_112(c) RIDGE_SUMS_104(c), RIDGE_8(c, 104)
#define RIDGE_SUMS_120(c) RIDGE_SUMS_112(c), RIDGE_8(c, 112)
#define RIDGE_SUMS_128(c) RIDGE_SUMS_120(c), RIDGE_8(c, 120)
// The operands behind them.
#define RIDGE_OPERANDS_32 "%32", "%33", "%34", "%35", "%36", "%37"
#define RIDGE_OPERANDS_48 "%48", "%49", "%50", "%51", "%52", "%53"
#define RIDGE_OPERANDS_56 "%56", "%57", "%58", "%59", "%60", "%61"
#define RIDGE_OPERANDS_64 "%64", "%65", "%66", "%67", "%68", "%69"
#define RIDGE_OPERANDS_72 "%72", "%73", "%74", "%75", "%76", "%77"
#define RIDGE_OPERANDS_80 "%80", "%81", "%82", "%83", "%84", "%85"
#define RIDGE_OPERANDS_88 "%88", "%89", "%90", "%91", "%92", "%93"
#define RIDGE_OPERANDS_96 "%96", "%97", "%98", "%99", "%100", "%101"
#define RIDGE_OPERANDS_104 "%104", "%105", "%106", "%107", "%108", "%109"
#define RIDGE_OPERANDS_112 "%112", "%113", "%114", "%115", "%116", "%117"
#define RIDGE_OPERANDS_120 "%120", "%121", "%122", "%123", "%124", "%125"
#define RIDGE_OPERANDS_128 "%128", "%129", "%130", "%131", "%132", "%133"

// d: `count` sums named `names` and bound by `sums` with `letter`; the operands behind them are numbered p0
// to p5. The tails hold the scales of a and b and, for two-byte types, their transpositions.
#define RIDGE_WGMMA(name, sum, count, names, sums, letter, instruction, p0, p1, p2, p3, p4, p5, tail,     \
                    tail_registers)                                                                       \
  __device__ inline void name(sum(&d)[count], std::uint64_t a, std::uint64_t b, int scale_d) {            \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, " p2 ", 0; wgmma.mma_async.sync.aligned." instruction    \
                 " {" names "}, " p0 ", " p1 ", p" tail "; }"                                             \
                 : sums(letter)                                                                           \
                 : "l"(a), "l"(b), "r"(scale_d));                                                         \
  }                                                                                                       \
  __device__ inline void name(sum(&d)[count], const std::uint32_t(&a)[4], std::uint64_t b, int scale_d) { \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, " p5 ", 0; wgmma.mma_async.sync.aligned." instruction    \
                 " {" names "}, {" p0 ", " p1 ", " p2 ", " p3 "}, " p4 ", p" tail_registers "; }"         \
                 : sums(letter)                                                                           \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d));                     \
  }
#define RIDGE_WGMMA_EXPANDED(...) RIDGE_WGMMA(__VA_ARGS__)
#define RIDGE_WGMMA_OF(count, name, sum, letter, instruction, tail, tail_registers)                    \
  RIDGE_WGMMA_EXPANDED(name, sum, count, RIDGE_NAMES_##count, RIDGE_SUMS_##count, letter, instruction, \
                       RIDGE_OPERANDS_##count, tail, tail_registers)
#define RIDGE_WGMMA_64(...) RIDGE_WGMMA_OF(64, __VA_ARGS__)
#define RIDGE_WGMMA_128(...) RIDGE_WGMMA_OF(128, __VA_ARGS__)

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

// The same for every N of a table, told apart by the number of sums of a thread, N / 2:
//   wgmma_SUM_TYPE(d, a, b, scale_d)
#define RIDGE_WGMMA_SHAPE(count, n)                                                                    \
  RIDGE_WGMMA_OF(count, wgmma_f32_bf16, float, "+f", "m64n" #n "k16.f32.bf16.bf16", ", 1, 1, 0, 0",    \
                 ", 1, 1, 0")                                                                          \
  RIDGE_WGMMA_OF(count, wgmma_f32_f16, float, "+f", "m64n" #n "k16.f32.f16.f16", ", 1, 1, 0, 0",       \
                 ", 1, 1, 0")                                                                          \
  RIDGE_WGMMA_OF(count, wgmma_f32_tf32, float, "+f", "m64n" #n "k8.f32.tf32.tf32", ", 1, 1", ", 1, 1") \
  RIDGE_WGMMA_OF(count, wgmma_f32_e4m3, float, "+f", "m64n" #n "k32.f32.e4m3.e4m3", ", 1, 1", ", 1, 1")
RIDGE_WGMMA_OF(32, wgmma_f32_e4m3, float, "+f", "m64n64k32.f32.e4m3.e4m3", ", 1, 1", ", 1, 1")
RIDGE_WGMMA_SHAPE(48, 96)
RIDGE_WGMMA_SHAPE(56, 112)
RIDGE_WGMMA_SHAPE(64, 128)
RIDGE_WGMMA_SHAPE(72, 144)
RIDGE_WGMMA_SHAPE(80, 160)
RIDGE_WGMMA_SHAPE(88, 176)
RIDGE_WGMMA_SHAPE(96, 192)
RIDGE_WGMMA_SHAPE(104, 208)
RIDGE_WGMMA_SHAPE(112, 224)
RIDGE_WGMMA_SHAPE(120, 240)
RIDGE_WGMMA_SHAPE(128, 256)

// The same with b stored by columns: one of its rows in shared memory holds what multiplies one term of a.
#define RIDGE_WGMMA_COLUMNS(count, n)                                                                       \
  RIDGE_WGMMA_OF(count, wgmma_f32_bf16_columns, float, "+f", "m64n" #n "k16.f32.bf16.bf16", ", 1, 1, 0, 1", \
                 ", 1, 1, 1")
RIDGE_WGMMA_COLUMNS(32, 64)
RIDGE_WGMMA_COLUMNS(64, 128)

#undef RIDGE_WGMMA_COLUMNS
#undef RIDGE_WGMMA_SHAPE
#undef RIDGE_WGMMA_128
#undef RIDGE_WGMMA_64
#undef RIDGE_WGMMA_OF
#undef RIDGE_WGMMA_EXPANDED
#undef RIDGE_WGMMA
#undef RIDGE_8
#undef RIDGE_OPERANDS_32
#undef RIDGE_SUMS_32
#undef RIDGE_NAMES_32
#undef RIDGE_OPERANDS_48
#undef RIDGE_SUMS_48
#undef RIDGE_NAMES_48
#undef RIDGE_OPERANDS_56
#undef RIDGE_SUMS_56
#undef RIDGE_NAMES_56
#undef RIDGE_OPERANDS_64
#undef RIDGE_SUMS_64
#undef RIDGE_NAMES_64
#undef RIDGE_OPERANDS_72
#undef RIDGE_SUMS_72
#undef RIDGE_NAMES_72
#undef RIDGE_OPERANDS_80
#undef RIDGE_SUMS_80
#undef RIDGE_NAMES_80
#undef RIDGE_OPERANDS_88
#undef RIDGE_SUMS_88
#undef RIDGE_NAMES_88
#undef RIDGE_OPERANDS_96
#undef RIDGE_SUMS_96
#undef RIDGE_NAMES_96
#undef RIDGE_OPERANDS_104
#undef RIDGE_SUMS_104
#undef RIDGE_NAMES_104
#undef RIDGE_OPERANDS_112
#undef RIDGE_SUMS_112
#undef RIDGE_NAMES_112
#undef RIDGE_OPERANDS_120
#undef RIDGE_SUMS_120
#undef RIDGE_NAMES_120
#undef RIDGE_OPERANDS_128
#undef RIDGE_SUMS_128
#undef RIDGE_NAMES_128

#endif

}  // namespace ridge::gpu::ptx
