// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <cuda_runtime_api.h>

#include <ridge/kernels/product_operands.hpp>

namespace ridge::kernels {

// Returns the product of bf16 operands by warpgroups with roles, with the tile and the cluster that the model
// of costs picks (tile_choice.hpp). It may be enqueued any number of times. m, n and k are positive. Compute
// capability 9.0.
[[nodiscard]] std::function<void(cudaStream_t)> planned_bf16_product(const product_operands& p);

}  // namespace ridge::kernels
