// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/harness/experiment.hpp>

#include "operands.hpp"

namespace ridge::experiments::ch01_roofline_placement {

// One kernel's operands, as n×n row-major matrices or as long vectors; the kernel says which.
struct workload {
  std::size_t n = 0;
  input<float> a{};
  input<float> b{};
  output<float> c{};
};

// c = a + b, n² elements.
ladder<workload> vector_add_cpu();
[[gnu::weak]] ladder<workload> vector_add_cuda();
// c[0] = a · b, n² elements.
ladder<workload> dot_cpu();
[[gnu::weak]] ladder<workload> dot_cuda();
// Each row of c sums to 1: exp(a - max of the row) / their sum.
ladder<workload> softmax_cpu();
[[gnu::weak]] ladder<workload> softmax_cuda();
// Each row of c has mean 0 and variance 1: (a - mean) / sqrt(variance + norm_epsilon).
ladder<workload> norm_cpu();
[[gnu::weak]] ladder<workload> norm_cuda();
// c = a b, a n×n, b and c of n elements.
ladder<workload> gemv_cpu();
[[gnu::weak]] ladder<workload> gemv_cuda();
// c = a b, all n×n.
ladder<workload> gemm_cpu();
[[gnu::weak]] ladder<workload> gemm_cuda();

}  // namespace ridge::experiments::ch01_roofline_placement
