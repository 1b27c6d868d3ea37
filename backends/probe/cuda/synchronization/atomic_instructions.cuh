// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::backends::probe_cuda {

// red: forgets the old value; atom: gives it, folded to 32 bits. `one` comes as an argument of the kernel: a
// known constant at a known address would be added up in the warp first.
#define RIDGE_ATOMIC(op_name, word_type, letter, add)                                                        \
  struct op_name {                                                                                           \
    using word = word_type;                                                                                  \
    __device__ static void red(word* at, word one) {                                                         \
      asm volatile("red.global." add " [%0], %1;" ::"l"(at), letter(one) : "memory");                        \
    }                                                                                                        \
    __device__ static unsigned atom(word* at, word one) {                                                    \
      word old;                                                                                              \
      asm volatile("atom.global." add " %0, [%1], %2;" : "=" letter(old) : "l"(at), letter(one) : "memory"); \
      return static_cast<unsigned>(old);                                                                     \
    }                                                                                                        \
  };
RIDGE_ATOMIC(add_u32, std::uint32_t, "r", "add.u32")
RIDGE_ATOMIC(add_u64, std::uint64_t, "l", "add.u64")
RIDGE_ATOMIC(add_f32, float, "f", "add.f32")
RIDGE_ATOMIC(add_f64, double, "d", "add.f64")
RIDGE_ATOMIC(add_f16x2, std::uint32_t, "r", "add.noftz.f16x2")
#if __CUDA_ARCH__ >= 900
RIDGE_ATOMIC(add_bf16x2, std::uint32_t, "r", "add.noftz.bf16x2")
#else
struct add_bf16x2 : add_f16x2 {};  // is not asked for there
#endif
#undef RIDGE_ATOMIC

// From `one` to `one`: fails but where that is stored, which costs the same.
struct swap_u32 {
  using word = std::uint32_t;
  __device__ static unsigned atom(word* at, word one) {
    word old;
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %2;" : "=r"(old) : "l"(at), "r"(one) : "memory");
    return old;
  }
  __device__ static void red(word* at, word one) { (void)atom(at, one); }
};

}  // namespace ridge::backends::probe_cuda
