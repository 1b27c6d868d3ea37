// SPDX-License-Identifier: Apache-2.0
#include "serving/grouped_product.hpp"

#include <ridge/gpu/check.hpp>
#include <ridge/vendor/cublas.hpp>

namespace ridge::backends::probe_cuda {

grouped_product::grouped_product(const std::vector<int>& rows, int n, int k, const void* weights,
                                 const void* x, void* y) {
  constexpr std::size_t element = 2;
  const auto offset = [](const void* from, std::size_t elements) {
    return static_cast<const std::byte*>(from) + elements * element;
  };
  std::vector<const void*> w_of, x_of, y_of;
  std::size_t done = 0;
  const auto width = static_cast<std::size_t>(n), depth = static_cast<std::size_t>(k);
  for (std::size_t e = 0; e < rows.size(); ++e) {
    if (rows[e] == 0) continue;
    w_of.push_back(offset(weights, e * width * depth));
    x_of.push_back(offset(x, done * depth)), y_of.push_back(offset(y, done * width));
    done += static_cast<std::size_t>(rows[e]);
    rows_.push_back(rows[e]);
  }
  groups_ = rows_.size();
  n_.assign(groups_, n), k_.assign(groups_, k), group_size_.assign(groups_, 1);
  transposed_.assign(groups_, CUBLAS_OP_T), plain_.assign(groups_, CUBLAS_OP_N);
  alpha_.assign(groups_, 1), beta_.assign(groups_, 0);
  std::vector<const void*> all(w_of);
  all.insert(all.end(), x_of.begin(), x_of.end());
  all.insert(all.end(), y_of.begin(), y_of.end());
  addresses_ = gpu::device_memory(all.size() * sizeof(void*));
  gpu::check(cudaMemcpy(addresses_.data(), all.data(), addresses_.bytes(), cudaMemcpyHostToDevice),
             "cudaMemcpy of the addresses of a grouped product");
}

// cuBLAS is column-major: y' (n x rows) = w' (n x k) · x' (k x rows).
void grouped_product::enqueue(cublasHandle_t handle) const {
  auto* const at = addresses_.as<const void*>();
  vendor::check_cublas(cublasGemmGroupedBatchedEx(
                           handle, transposed_.data(), plain_.data(), n_.data(), rows_.data(), k_.data(),
                           alpha_.data(), at, CUDA_R_16BF, k_.data(), at + groups_, CUDA_R_16BF, k_.data(),
                           beta_.data(), addresses_.as<void*>() + 2 * groups_, CUDA_R_16BF, n_.data(),
                           static_cast<int>(groups_), group_size_.data(), CUBLAS_COMPUTE_32F),
                       "cublasGemmGroupedBatchedEx");
}

}  // namespace ridge::backends::probe_cuda
