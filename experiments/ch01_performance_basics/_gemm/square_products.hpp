// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/device/stream.hpp>

namespace ridge::experiments::ch01_gemm {

// `count` products of n×n matrices that follow one another on the device, row-major: c[i] = a[i] · b[i].
struct square_products {
  std::int64_t count = 0, n = 0;
  const float* a = nullptr;
  const float* b = nullptr;
  float* c = nullptr;
};

// All products in one launch, in fp32 multiply-adds; nothing for no elements. At most 65535 products.
void multiply(const square_products& all, stream queue);

}  // namespace ridge::experiments::ch01_gemm
