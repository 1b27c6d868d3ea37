// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <cuda_runtime_api.h>

namespace ridge::kernels {

// c (m x n) = a (m x k) bᵀ (n x k), row-major in device memory; pitches are in elements.
struct product_operands {
  const void* a = nullptr;  // a and b begin at multiples of 16 bytes, and so does each of their rows
  const void* b = nullptr;
  void* c = nullptr;  // bf16
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t a_pitch = 0, b_pitch = 0, c_pitch = 0;
};

// Returns the product of bf16 operands by warpgroups with roles, with the tile and the cluster that the model
// of costs picks (tile_choice.hpp). It may be enqueued any number of times. m, n and k are positive. Compute
// capability 9.0.
[[nodiscard]] std::function<void(cudaStream_t)> planned_bf16_product(const product_operands& p);

}  // namespace ridge::kernels
