// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::backends::probe_cuda {

// Atomic operations in global memory: red() does not return the old value, atom() returns it as 32 bits. The
// addend is an argument of the kernel, because the compiler would add up a known constant for a known address
// within the warp first.
#define RIDGE_ATOMIC(op_name, word_type, letter, add)                                        \
  struct op_name {                                                                           \
    using word = word_type;                                                                  \
    __device__ static void red(word* target, word addend) {                                  \
      asm volatile("red.global." add " [%0], %1;" ::"l"(target), letter(addend) : "memory"); \
    }                                                                                        \
    __device__ static unsigned atom(word* target, word addend) {                             \
      word old;                                                                              \
      asm volatile("atom.global." add " %0, [%1], %2;"                                       \
                   : "=" letter(old)                                                         \
                   : "l"(target), letter(addend)                                             \
                   : "memory");                                                              \
      return static_cast<unsigned>(old);                                                     \
    }                                                                                        \
  };
RIDGE_ATOMIC(add_u32, std::uint32_t, "r", "add.u32")
RIDGE_ATOMIC(add_u64, std::uint64_t, "l", "add.u64")
RIDGE_ATOMIC(add_f32, float, "f", "add.f32")
RIDGE_ATOMIC(add_f64, double, "d", "add.f64")
RIDGE_ATOMIC(add_f16x2, std::uint32_t, "r", "add.noftz.f16x2")
#if __CUDA_ARCH__ >= 900
RIDGE_ATOMIC(add_bf16x2, std::uint32_t, "r", "add.noftz.bf16x2")
#else
struct add_bf16x2 : add_f16x2 {};  // never used there
#endif
#undef RIDGE_ATOMIC

// Compare-and-swap of `value` by `value`. It fails unless `value` is stored, which costs the same.
struct swap_u32 {
  using word = std::uint32_t;
  __device__ static unsigned atom(word* target, word value) {
    word old;
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %2;" : "=r"(old) : "l"(target), "r"(value) : "memory");
    return old;
  }
  __device__ static void red(word* target, word value) { (void)atom(target, value); }
};

}  // namespace ridge::backends::probe_cuda
