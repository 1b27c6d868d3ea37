// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include "padded.hpp"

namespace ridge::experiments::ch01_precision_ladder {

// The narrower types of the GPU ladder. A type's conversion is to nearest, ties to even, as ridge/base's.
struct tf32_bits {
  using type = std::uint32_t;
};
struct bf16_bits {
  using type = std::uint16_t;
};
struct e4m3_bits {
  using type = std::uint8_t;
};

// What the workload's product is of: a m×k, b n×k, c m×n, row-major in device memory.
struct matrices {
  std::int64_t m = 0, n = 0, k = 0;
  std::span<const float> a{}, b{};
  std::span<float> c{};
};

// c = a bᵀ in fp32 arithmetic, from the unconverted inputs. Enqueued on `stream`, as all below.
void product_fp32(const matrices& w, cudaStream_t stream);

// Fills `target` from the inputs a and b; for e4m3 with one scale a matrix, its largest magnitude becoming
// 448.
template <class Type>
void narrow(const matrices& w, const padded_operands& target, cudaStream_t stream);

// c = a bᵀ from converted operands by the matrix instruction of a warp (mma.sync), sums in fp32.
template <class Type>
void product_by_warps(const matrices& w, const padded_operands& operands, cudaStream_t stream);

// Throws unavailable where this GPU's part of the program was compiled for one without that instruction.
template <class Type>
void require_product_by_warps();

// The same by that of four warps (wgmma), which reads both operands from shared memory; needs compute
// capability 9.0.
template <class Type>
void product_by_warpgroups(const matrices& w, const padded_operands& operands, cudaStream_t stream);

}  // namespace ridge::experiments::ch01_precision_ladder
