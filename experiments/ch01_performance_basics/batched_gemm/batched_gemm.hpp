// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/harness/experiment.hpp>

namespace ridge::experiments::ch01_batched_gemm {

// `count` products of n×n matrices, c[i] = a[i] · b[i]. The matrices are row-major and follow one another.
struct workload {
  std::int64_t count = 0, n = 0;
  input<float> a{};
  input<float> b{};
  output<float> c{};
};

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

}  // namespace ridge::experiments::ch01_batched_gemm
