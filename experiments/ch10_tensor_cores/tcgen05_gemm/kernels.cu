// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/tensor_memory_launch.cuh>

#include "tcgen05_gemm.hpp"

namespace ridge::experiments::ch10_tcgen05_gemm {
namespace {

// Stages of 48 KiB and of 32 KiB: 192 KiB under way in both.
using block_tile = kernels::tensor_memory_tile<1, 256, 4>;
using pair_tile = kernels::tensor_memory_tile<2, 256, 6>;

}  // namespace

enqueued one_block(const workload& w) {
  return kernels::planned_tensor_memory_product<block_tile>(kernels::operands_of(w));
}

enqueued block_pair(const workload& w) {
  return kernels::planned_tensor_memory_product<pair_tile>(kernels::operands_of(w));
}

}  // namespace ridge::experiments::ch10_tcgen05_gemm
