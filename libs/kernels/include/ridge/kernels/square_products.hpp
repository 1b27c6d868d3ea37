// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace ridge::kernels {

// `count` products c[i] = a[i] · b[i] of n×n matrices in device memory, row-major, one matrix after the
// other.
struct square_products {
  std::int64_t count = 0, n = 0;
  const float* a = nullptr;
  const float* b = nullptr;
  float* c = nullptr;
};

// Enqueues all products on `stream` in one launch, computed by fp32 multiply-adds; does nothing where there
// are no elements. More than 65535 products are a bug of the caller. Throws as gpu::check does when the
// launch is refused.
void multiply(const square_products& all, cudaStream_t stream);

}  // namespace ridge::kernels
