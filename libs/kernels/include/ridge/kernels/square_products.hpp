// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace ridge::kernels {

// `count` products of n×n matrices that follow one another on the device, row-major: c[i] = a[i] · b[i].
struct square_products {
  std::int64_t count = 0, n = 0;
  const float* a = nullptr;
  const float* b = nullptr;
  float* c = nullptr;
};

// Enqueues all products on `stream` in one launch, in fp32 multiply-adds; does nothing for no elements. A bug
// beyond 65535 products. Throws as gpu::check does when the launch is refused.
void multiply(const square_products& all, cudaStream_t stream);

}  // namespace ridge::kernels
