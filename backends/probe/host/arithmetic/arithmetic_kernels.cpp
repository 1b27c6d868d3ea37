// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/arithmetic_kernels.hpp"

#include <cstring>

namespace ridge::backends::probe_host {
namespace {

#if defined(__x86_64__)

// These loops are in assembly, because a compiler may reorder, vectorize or spill what is counted. `.irp`
// repeats a line for each register. Twelve accumulators hide a latency of four to six cycles on two ports,
// and with four operands they are all the registers that AVX2 has. Clobbers name the xmm part, which stands
// for the whole register, so that no target option is needed.
#define RIDGE_SIXTEEN "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
#define RIDGE_TWELVE(line) ".irp r,0,1,2,3,4,5,6,7,8,9,10,11\n\t " line "\n\t .endr\n\t"
#define RIDGE_EIGHT(line) ".irp r,0,1,2,3,4,5,6,7\n\t " line "\n\t .endr\n\t"
#define RIDGE_SIX(line) ".irp r,8,9,10,11,12,13\n\t " line "\n\t .endr\n\t"

#define RIDGE_KERNEL(name, move, reg, width, round, leave)                                                  \
  void name(operands& on, std::int64_t rounds) {                                                            \
    asm volatile(".irp r," RIDGE_SIXTEEN "\n\t " move " " #width "*\\r(%[x]), %%" reg                       \
                 "\\r\n\t .endr\n\t"                                                                        \
                 ".p2align 6\n"                                                                             \
                 "1:\n\t" round                                                                             \
                 "dec %[n]\n\t"                                                                             \
                 "jnz 1b\n\t"                                                                               \
                 ".irp r," RIDGE_SIXTEEN "\n\t " move " %%" reg "\\r, " #width                              \
                 "*\\r(%[x])\n\t .endr\n\t" leave                                                           \
                 : [n] "+&r"(rounds)                                                                        \
                 : [x] "r"(on.bytes.data())                                                                 \
                 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
                   "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");                            \
  }

// The loop body is repeated, so that the end of the loop takes one start in fifty.
#define RIDGE_TWICE(pair) pair pair
#define RIDGE_FMA(op, reg) RIDGE_TWICE(RIDGE_FMA_PAIR(op, reg))
#define RIDGE_MUL_ADD(mul, add) RIDGE_TWICE(RIDGE_MUL_ADD_PAIR(mul, add))
#define RIDGE_DOT(op, reg) RIDGE_TWICE(RIDGE_FMA_PAIR(op, reg))
#define RIDGE_FMA_PAIR(op, reg)                              \
  RIDGE_TWELVE(op " %%" reg "13, %%" reg "12, %%" reg "\\r") \
  RIDGE_TWELVE(op " %%" reg "15, %%" reg "14, %%" reg "\\r")
#define RIDGE_MUL_ADD_PAIR(mul, add)                                   \
  RIDGE_TWELVE(mul " %%xmm12, %%xmm\\r\n\t " add " %%xmm13, %%xmm\\r") \
  RIDGE_TWELVE(mul " %%xmm14, %%xmm\\r\n\t " add " %%xmm15, %%xmm\\r")

// Twenty-four multiply-adds and twenty-four additions, in turns of eight and six.
#define RIDGE_BOTH(fma, sub, reg)                            \
  RIDGE_EIGHT(fma " %%" reg "15, %%" reg "14, %%" reg "\\r") \
  RIDGE_SIX(sub " %%" reg "\\r, %%" reg "15, %%" reg "\\r")  \
  RIDGE_EIGHT(fma " %%" reg "15, %%" reg "14, %%" reg "\\r") \
  RIDGE_SIX(sub " %%" reg "\\r, %%" reg "15, %%" reg "\\r")  \
  RIDGE_EIGHT(fma " %%" reg "15, %%" reg "14, %%" reg "\\r") \
  RIDGE_SIX(sub " %%" reg "\\r, %%" reg "15, %%" reg "\\r")  \
  RIDGE_SIX(sub " %%" reg "\\r, %%" reg "15, %%" reg "\\r")

#define RIDGE_UPPER "vzeroupper\n\t"

RIDGE_KERNEL(fp32_scalar, "vmovss", "xmm", 4, RIDGE_FMA("vfmadd213ss", "xmm"), "")
RIDGE_KERNEL(fp32_sse2, "movaps", "xmm", 16, RIDGE_MUL_ADD("mulps", "addps"), "")
RIDGE_KERNEL(fp32_avx2, "vmovaps", "ymm", 32, RIDGE_FMA("vfmadd213ps", "ymm"), RIDGE_UPPER)
RIDGE_KERNEL(fp32_avx512, "vmovaps", "zmm", 64, RIDGE_FMA("vfmadd213ps", "zmm"), RIDGE_UPPER)
RIDGE_KERNEL(fp64_scalar, "vmovsd", "xmm", 8, RIDGE_FMA("vfmadd213sd", "xmm"), "")
RIDGE_KERNEL(fp64_sse2, "movapd", "xmm", 16, RIDGE_MUL_ADD("mulpd", "addpd"), "")
RIDGE_KERNEL(fp64_avx2, "vmovapd", "ymm", 32, RIDGE_FMA("vfmadd213pd", "ymm"), RIDGE_UPPER)
RIDGE_KERNEL(fp64_avx512, "vmovapd", "zmm", 64, RIDGE_FMA("vfmadd213pd", "zmm"), RIDGE_UPPER)
RIDGE_KERNEL(fp16_avx512, "vmovups", "zmm", 64, RIDGE_FMA("vfmadd213ph", "zmm"), RIDGE_UPPER)
RIDGE_KERNEL(bf16_avx512, "vmovups", "zmm", 64, RIDGE_DOT("vdpbf16ps", "zmm"), RIDGE_UPPER)
RIDGE_KERNEL(int8_avx2, "vmovups", "ymm", 32, RIDGE_DOT("%{vex%} vpdpbusd", "ymm"), RIDGE_UPPER)
RIDGE_KERNEL(int8_avx512, "vmovups", "zmm", 64, RIDGE_DOT("vpdpbusd", "zmm"), RIDGE_UPPER)
RIDGE_KERNEL(int16_avx512, "vmovups", "zmm", 64, RIDGE_DOT("vpdpwssd", "zmm"), RIDGE_UPPER)
RIDGE_KERNEL(both_fp32_scalar, "vmovss", "xmm", 4, RIDGE_BOTH("vfmadd213ss", "vsubss", "xmm"), "")
RIDGE_KERNEL(both_fp32_avx2, "vmovaps", "ymm", 32, RIDGE_BOTH("vfmadd213ps", "vsubps", "ymm"), RIDGE_UPPER)
RIDGE_KERNEL(both_fp32_avx512, "vmovaps", "zmm", 64, RIDGE_BOTH("vfmadd213ps", "vsubps", "zmm"), RIDGE_UPPER)
RIDGE_KERNEL(both_fp64_scalar, "vmovsd", "xmm", 8, RIDGE_BOTH("vfmadd213sd", "vsubsd", "xmm"), "")
RIDGE_KERNEL(both_fp64_avx2, "vmovapd", "ymm", 32, RIDGE_BOTH("vfmadd213pd", "vsubpd", "ymm"), RIDGE_UPPER)
RIDGE_KERNEL(both_fp64_avx512, "vmovapd", "zmm", 64, RIDGE_BOTH("vfmadd213pd", "vsubpd", "zmm"), RIDGE_UPPER)

using enum number;
using enum operation;

constexpr arithmetic_kernel fma(number type, std::string_view isa, std::array<std::string_view, 2> needs,
                                int bytes, int lanes, void (*run)(operands&, std::int64_t)) {
  return {type, multiply_add, isa, needs, bytes, isa == "sse2" ? 96 : 48, 96.0 * lanes, run};
}

constexpr arithmetic_kernel both(number type, std::string_view isa, std::string_view needs, int bytes,
                                 int lanes, void (*run)(operands&, std::int64_t)) {
  return {type, multiply_and_add, isa, {needs, ""}, bytes, 48, 72.0 * lanes, run};
}

constexpr arithmetic_kernel dots(number type, std::string_view isa, std::string_view needs, int bytes,
                                 int products, void (*run)(operands&, std::int64_t)) {
  return {type, dot, isa, {needs, ""}, bytes, 48, 96.0 * products, run};
}

constexpr arithmetic_kernel of_tiles(number type, std::string_view needs, int depth,
                                     void (*run)(operands&, std::int64_t)) {
  return {type, tiles, "amx", {needs, "amx_tile"}, 1024, 4, 4 * 2.0 * 16 * 16 * depth, run};
}

constexpr arithmetic_kernel kernels[] = {
    fma(fp32, "scalar", {"fma", ""}, 4, 1, fp32_scalar),
    fma(fp32, "sse2", {"", ""}, 16, 4, fp32_sse2),
    fma(fp32, "avx2", {"fma", "avx2"}, 32, 8, fp32_avx2),
    fma(fp32, "avx512", {"avx512f", ""}, 64, 16, fp32_avx512),
    fma(fp64, "scalar", {"fma", ""}, 8, 1, fp64_scalar),
    fma(fp64, "sse2", {"", ""}, 16, 2, fp64_sse2),
    fma(fp64, "avx2", {"fma", "avx2"}, 32, 4, fp64_avx2),
    fma(fp64, "avx512", {"avx512f", ""}, 64, 8, fp64_avx512),
    fma(fp16, "avx512", {"avx512_fp16", ""}, 64, 32, fp16_avx512),
    dots(bf16, "avx512", "avx512_bf16", 64, 32, bf16_avx512),
    of_tiles(bf16, "amx_bf16", 32, run_bf16_tiles),
    dots(int8, "avx_vnni", "avx_vnni", 32, 32, int8_avx2),
    dots(int8, "avx512", "avx512_vnni", 64, 64, int8_avx512),
    of_tiles(int8, "amx_int8", 64, run_int8_tiles),
    dots(int16, "avx512", "avx512_vnni", 64, 32, int16_avx512),
    both(fp32, "scalar", "fma", 4, 1, both_fp32_scalar),
    both(fp32, "avx2", "fma", 32, 8, both_fp32_avx2),
    both(fp32, "avx512", "avx512f", 64, 16, both_fp32_avx512),
    both(fp64, "scalar", "fma", 8, 1, both_fp64_scalar),
    both(fp64, "avx2", "fma", 32, 4, both_fp64_avx2),
    both(fp64, "avx512", "avx512f", 64, 8, both_fp64_avx512),
};

#else

template <class T>
void multiply_add_portably(operands& operands, std::int64_t rounds) {
  constexpr std::size_t lanes = 64 / sizeof(T);
  std::array<T, 16 * lanes> x;
  std::memcpy(x.data(), operands.bytes.data(), sizeof(x));
  for (rounds *= 2; rounds > 0; --rounds) {
    for (std::size_t r = 12; r < 16; r += 2) {
      for (std::size_t i = 0; i < 12 * lanes; ++i)
        x[i] = x[i] * x[r * lanes + i % lanes] + x[(r + 1) * lanes + i % lanes];
    }
    asm volatile("" ::: "memory");
  }
  std::memcpy(operands.bytes.data(), x.data(), sizeof(x));
}

constexpr arithmetic_kernel kernels[] = {
    {number::fp32, operation::multiply_add, "portable", {}, 64, 48, 96.0 * 16, multiply_add_portably<float>},
    {number::fp64, operation::multiply_add, "portable", {}, 64, 48, 96.0 * 8, multiply_add_portably<double>}};

#endif

}  // namespace

std::span<const arithmetic_kernel> arithmetic_kernels() { return kernels; }

}  // namespace ridge::backends::probe_host
