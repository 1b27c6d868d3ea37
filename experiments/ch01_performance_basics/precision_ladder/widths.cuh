// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "precision_ladder.hpp"

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

// c = a bᵀ in fp32 arithmetic, from the unconverted inputs. Enqueued on `queue`, as all below.
void product_fp32(const workload& w, cudaStream_t queue);

// Fills `to` from the workload's inputs; for e4m3 with one scale a matrix, its largest magnitude becoming
// 448.
template <class Type>
void narrow(const workload& w, const padded_operands& to, cudaStream_t queue);

// c = a bᵀ from converted operands by the matrix instruction of a warp (mma.sync), sums in fp32.
template <class Type>
void product_by_warps(const workload& w, const padded_operands& from, cudaStream_t queue);

// Throws unavailable where this GPU's part of the program was compiled for one without that instruction.
template <class Type>
void require_product_by_warps();

// The same by that of four warps (wgmma), which reads both operands from shared memory; needs compute
// capability 9.0.
template <class Type>
void product_by_warpgroups(const workload& w, const padded_operands& from, cudaStream_t queue);

}  // namespace ridge::experiments::ch01_precision_ladder
