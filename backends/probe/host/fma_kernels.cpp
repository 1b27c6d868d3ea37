// SPDX-License-Identifier: Apache-2.0
#include "fma_kernels.hpp"

namespace ridge::backends::probe_host {
namespace {

#if defined(__x86_64__)

// Assembly, because a compiler may reorder, vectorize or spill what is to be counted. Accumulators are
// registers 0 to 11, the factor is 14, the addend 15; `.irp` repeats a line for each of them. Clobbers name
// the xmm part, which stands for the whole register, so that no target option is needed.
#define RIDGE_TWELVE "0,1,2,3,4,5,6,7,8,9,10,11"
#define RIDGE_CLOBBERS                                                                                       \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm14", \
      "xmm15", "cc", "memory"

void fma_scalar(fma_state& state, std::int64_t rounds, float factor, float addend) {
  asm volatile(
      "vmovss %[factor], %%xmm14\n\t"
      "vmovss %[addend], %%xmm15\n\t"
      ".irp r," RIDGE_TWELVE
      "\n\t vmovss 4*\\r(%[x]), %%xmm\\r\n\t .endr\n\t"
      ".p2align 5\n"
      "1:\n\t"
      ".irp r," RIDGE_TWELVE
      "\n\t vfmadd213ss %%xmm15, %%xmm14, %%xmm\\r\n\t .endr\n\t"
      "dec %[n]\n\t"
      "jnz 1b\n\t"
      ".irp r," RIDGE_TWELVE "\n\t vmovss %%xmm\\r, 4*\\r(%[x])\n\t .endr\n\t"
      : [n] "+r"(rounds)
      : [x] "r"(state.x.data()), [factor] "m"(factor), [addend] "m"(addend)
      : RIDGE_CLOBBERS);
}

void fma_sse2(fma_state& state, std::int64_t rounds, float factor, float addend) {
  asm volatile(
      "movss %[factor], %%xmm14\n\t shufps $0, %%xmm14, %%xmm14\n\t"
      "movss %[addend], %%xmm15\n\t shufps $0, %%xmm15, %%xmm15\n\t"
      ".irp r," RIDGE_TWELVE
      "\n\t movaps 16*\\r(%[x]), %%xmm\\r\n\t .endr\n\t"
      ".p2align 5\n"
      "1:\n\t"
      ".irp r," RIDGE_TWELVE
      "\n\t mulps %%xmm14, %%xmm\\r\n\t addps %%xmm15, %%xmm\\r\n\t .endr\n\t"
      "dec %[n]\n\t"
      "jnz 1b\n\t"
      ".irp r," RIDGE_TWELVE "\n\t movaps %%xmm\\r, 16*\\r(%[x])\n\t .endr\n\t"
      : [n] "+r"(rounds)
      : [x] "r"(state.x.data()), [factor] "m"(factor), [addend] "m"(addend)
      : RIDGE_CLOBBERS);
}

void fma_avx2(fma_state& state, std::int64_t rounds, float factor, float addend) {
  asm volatile(
      "vbroadcastss %[factor], %%ymm14\n\t"
      "vbroadcastss %[addend], %%ymm15\n\t"
      ".irp r," RIDGE_TWELVE
      "\n\t vmovaps 32*\\r(%[x]), %%ymm\\r\n\t .endr\n\t"
      ".p2align 5\n"
      "1:\n\t"
      ".irp r," RIDGE_TWELVE
      "\n\t vfmadd213ps %%ymm15, %%ymm14, %%ymm\\r\n\t .endr\n\t"
      "dec %[n]\n\t"
      "jnz 1b\n\t"
      ".irp r," RIDGE_TWELVE
      "\n\t vmovaps %%ymm\\r, 32*\\r(%[x])\n\t .endr\n\t"
      "vzeroupper\n\t"
      : [n] "+r"(rounds)
      : [x] "r"(state.x.data()), [factor] "m"(factor), [addend] "m"(addend)
      : RIDGE_CLOBBERS);
}

void fma_avx512(fma_state& state, std::int64_t rounds, float factor, float addend) {
  asm volatile(
      "vbroadcastss %[factor], %%zmm14\n\t"
      "vbroadcastss %[addend], %%zmm15\n\t"
      ".irp r," RIDGE_TWELVE
      "\n\t vmovaps 64*\\r(%[x]), %%zmm\\r\n\t .endr\n\t"
      ".p2align 5\n"
      "1:\n\t"
      ".irp r," RIDGE_TWELVE
      "\n\t vfmadd213ps %%zmm15, %%zmm14, %%zmm\\r\n\t .endr\n\t"
      "dec %[n]\n\t"
      "jnz 1b\n\t"
      ".irp r," RIDGE_TWELVE
      "\n\t vmovaps %%zmm\\r, 64*\\r(%[x])\n\t .endr\n\t"
      "vzeroupper\n\t"
      : [n] "+r"(rounds)
      : [x] "r"(state.x.data()), [factor] "m"(factor), [addend] "m"(addend)
      : RIDGE_CLOBBERS);
}

constexpr fma_kernel kernels[] = {{"scalar", "fma", 1, fma_scalar},
                                  {"sse2", "", 4, fma_sse2},
                                  {"avx2", "fma", 8, fma_avx2},
                                  {"avx512", "avx512f", 16, fma_avx512}};

#else

void multiply_add(fma_state& state, std::int64_t rounds, float factor, float addend) {
  auto x = state.x;
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (auto& value : x) value = value * factor + addend;
    asm volatile("" ::: "memory");
  }
  state.x = x;
}

constexpr fma_kernel kernels[] = {{"portable", "", widest_lanes, multiply_add}};

#endif

}  // namespace

std::span<const fma_kernel> fma_kernels() { return kernels; }

}  // namespace ridge::backends::probe_host
