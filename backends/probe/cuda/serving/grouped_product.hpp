// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cublas_v2.h>

#include <ridge/gpu/memory.hpp>

namespace ridge::backends::probe_cuda {

// One product for each expert by a single call of cuBLAS: y = x · w for its rows of x, with w stored by
// output. Experts without rows are left out. bf16.
class grouped_product final {
 public:
  // `rows` of each expert follow one another in x (rows · k) and y (rows · n); the experts' weights follow
  // one another at `weights`. Copies the addresses to the device, so it is made before a recording begins.
  grouped_product(const std::vector<int>& rows, int n, int k, const void* weights, const void* x, void* y);
  // Enqueues it on the handle's stream. Throws as vendor::check_cublas does.
  void enqueue(cublasHandle_t handle) const;

 private:
  std::vector<int> rows_{}, n_{}, k_{}, group_size_{};
  std::vector<cublasOperation_t> transposed_{}, plain_{};
  std::vector<float> alpha_{}, beta_{};
  gpu::device_memory addresses_{};
  std::size_t groups_ = 0;
};

}  // namespace ridge::backends::probe_cuda
