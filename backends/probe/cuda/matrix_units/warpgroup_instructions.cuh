// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/gpu/ptx/wgmma.cuh>
#include <ridge/gpu/wgmma_descriptor.hpp>

#include "matrix_units/random_operands.hpp"

// wgmma of 64 x 256 sums over 32 bytes of a row for each type: add_product(type, sums, first, second,
// scale_d). `first` is a descriptor of shared memory or four registers; with scale_d 0 the product replaces
// the sums.
namespace ridge::backends::probe_cuda {

// A thread's fragment of a first operand.
struct first_registers {
  std::uint32_t words[4];
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

#define RIDGE_PRODUCTS(type, instruction)                                                           \
  __device__ inline void add_product(type, type::sum(&d)[type::sums], std::uint64_t first,          \
                                     std::uint64_t second, int scale_d) {                           \
    gpu::ptx::instruction(d, first, second, scale_d);                                               \
  }                                                                                                 \
  __device__ inline void add_product(type, type::sum(&d)[type::sums], const first_registers& first, \
                                     std::uint64_t second, int scale_d) {                           \
    gpu::ptx::instruction(d, first.words, second, scale_d);                                         \
  }
RIDGE_PRODUCTS(bf16_operand, wgmma_m64n256k16_f32_bf16)
RIDGE_PRODUCTS(fp16_operand, wgmma_m64n256k16_f32_f16)
RIDGE_PRODUCTS(tf32_operand, wgmma_m64n256k8_f32_tf32)
RIDGE_PRODUCTS(fp8_operand, wgmma_m64n256k32_f32_e4m3)
RIDGE_PRODUCTS(int8_operand, wgmma_m64n256k32_s32_s8)
RIDGE_PRODUCTS(fp16_in_fp16_operand, wgmma_m64n256k16_f16_f16)
#undef RIDGE_PRODUCTS

#endif

}  // namespace ridge::backends::probe_cuda
