// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::mlp {

// One matrix product and the operation that follows it, on raw pointers so that a step can be recorded. With
// p[i, j] = sum over k < depth of a[i * row_step + k * depth_step] * b[k * columns + j],
//   relu_bias:  c[i, j] = max(p + beside[j], 0)
//   bias:       c[i, j] = p + beside[j]
//   masked:     c[i, j] = beside[i, j] > 0 ? p : 0
//   descended:  c[i, j] = beside[i, j] - rate * p, and gradient[i, j] = p where gradient is not null
// b, c, beside (but for its bias rows) and gradient are row-major with `columns` columns. c may be beside.
struct fused_product {
  const float* a = nullptr;
  std::size_t row_step = 0;
  std::size_t depth_step = 0;
  const float* b = nullptr;
  float* c = nullptr;
  const float* beside = nullptr;
  float* gradient = nullptr;
  float rate = 0;
  std::size_t rows = 0, columns = 0, depth = 0;
};

// The operation that follows the product.
enum class followed_by : unsigned char { relu_bias, bias, masked, descended };

// A function that computes one product.
using fused_product_kernel = void (*)(const fused_product&);
// The kernel for this CPU's widest vectors. It holds 4 rows by some vectors of c in registers over the whole
// depth.
[[nodiscard]] fused_product_kernel kernel_of(followed_by then);

}  // namespace ridge::mlp
