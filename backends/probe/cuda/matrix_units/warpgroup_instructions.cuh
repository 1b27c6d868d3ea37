// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "matrix_units/random_operands.hpp"

// wgmma.mma_async of 64 x 256 sums over 32 bytes of a row, for each type: add_product(type, sums, first,
// second, onto), first a description of shared memory or four registers; onto 0 begins a sum.
namespace ridge::backends::probe_cuda {

struct first_registers {
  std::uint32_t words[4];
};

// Rows of 128 bytes in 128-byte swizzle; 8 rows are 1024 bytes apart from the next 8 (PTX ISA, asynchronous
// warpgroup-level matrix shared memory layout).
__device__ inline std::uint64_t description_of(unsigned address) {
  constexpr std::uint64_t eight_rows = std::uint64_t{1024 / 16} << 32, swizzle_128 = std::uint64_t{1} << 62;
  return ((address & 0x3FFFFU) >> 4) | std::uint64_t{1} << 16 | eight_rows | swizzle_128;
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

#define RIDGE_NAMES_64                                                                                   \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, " \
  "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
  "%62, %63"
#define RIDGE_NAMES_128                                                                              \
  RIDGE_NAMES_64                                                                                     \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "     \
  "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, " \
  "%101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, " \
  "%117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define RIDGE_4(c, i) c(d[i]), c(d[(i) + 1]), c(d[(i) + 2]), c(d[(i) + 3])
#define RIDGE_16(c, i) RIDGE_4(c, i), RIDGE_4(c, (i) + 4), RIDGE_4(c, (i) + 8), RIDGE_4(c, (i) + 12)
#define RIDGE_64(c, i) RIDGE_16(c, i), RIDGE_16(c, (i) + 16), RIDGE_16(c, (i) + 32), RIDGE_16(c, (i) + 48)
#define RIDGE_128(c) RIDGE_64(c, 0), RIDGE_64(c, 64)

// `bound`: how the sums are bound; a, b, onto: the operands behind them; tail: scales and transpositions.
#define RIDGE_PRODUCTS(type, instruction, names, bound, a, b, onto_, a0, a1, a2, a3, b_, onto__, tail, \
                       tail_rs)                                                                        \
  __device__ inline void add_product(type, type::sum(&d)[type::sums], std::uint64_t first,             \
                                     std::uint64_t second, int onto) {                                 \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, " onto_                                               \
                 ", 0; wgmma.mma_async.sync.aligned.m64n256" instruction " {" names "}, " a ", " b     \
                 ", p" tail "; }"                                                                      \
                 : bound                                                                               \
                 : "l"(first), "l"(second), "r"(onto));                                                \
  }                                                                                                    \
  __device__ inline void add_product(type, type::sum(&d)[type::sums], const first_registers& first,    \
                                     std::uint64_t second, int onto) {                                 \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, " onto__                                              \
                 ", 0; wgmma.mma_async.sync.aligned.m64n256" instruction " {" names "}, {" a0 ", " a1  \
                 ", " a2 ", " a3 "}, " b_ ", p" tail_rs "; }"                                          \
                 : bound                                                                               \
                 : "r"(first.words[0]), "r"(first.words[1]), "r"(first.words[2]), "r"(first.words[3]), \
                   "l"(second), "r"(onto));                                                            \
  }
#define RIDGE_PRODUCTS_128(type, instruction, letter, tail, tail_rs)                                    \
  RIDGE_PRODUCTS(type, instruction, RIDGE_NAMES_128, RIDGE_128(letter), "%128", "%129", "%130", "%128", \
                 "%129", "%130", "%131", "%132", "%133", tail, tail_rs)
RIDGE_PRODUCTS_128(bf16_operand, "k16.f32.bf16.bf16", "+f", ", 1, 1, 0, 0", ", 1, 1, 0")
RIDGE_PRODUCTS_128(fp16_operand, "k16.f32.f16.f16", "+f", ", 1, 1, 0, 0", ", 1, 1, 0")
RIDGE_PRODUCTS_128(tf32_operand, "k8.f32.tf32.tf32", "+f", ", 1, 1", ", 1, 1")
RIDGE_PRODUCTS_128(fp8_operand, "k32.f32.e4m3.e4m3", "+f", ", 1, 1", ", 1, 1")
RIDGE_PRODUCTS_128(int8_operand, "k32.s32.s8.s8", "+r", "", "")
RIDGE_PRODUCTS(fp16_in_fp16_operand, "k16.f16.f16.f16", RIDGE_NAMES_64, RIDGE_64("+r", 0), "%64", "%65",
               "%66", "%64", "%65", "%66", "%67", "%68", "%69", ", 1, 1, 0, 0", ", 1, 1, 0")
#undef RIDGE_PRODUCTS_128
#undef RIDGE_PRODUCTS
#undef RIDGE_128
#undef RIDGE_64
#undef RIDGE_16
#undef RIDGE_4
#undef RIDGE_NAMES_128
#undef RIDGE_NAMES_64

#endif

}  // namespace ridge::backends::probe_cuda
