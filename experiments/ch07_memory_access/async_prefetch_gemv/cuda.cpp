// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <utility>

#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/cublas.hpp>

#include "async_prefetch_gemv.hpp"

namespace ridge::experiments::ch07_async_prefetch_gemv {
namespace {

// cuBLAS is column-major: it sees the transpose of the matrix, and is asked for that one's transpose.
auto cublas_gemm(workload&, setup& s) {
  auto handle = vendor::open_cublas(s.queue(), s.workspace<std::byte>(vendor::cublas_workspace_bytes));
  return [handle = std::move(handle)](workload& w, call& c) {
    if (w.matrix.empty()) {
      gpu::check(cudaMemsetAsync(w.product.data(), 0, w.product.size_bytes(), c.queue()),
                 "cudaMemsetAsync of the product");
      return;
    }
    const float one = 1, zero = 0;
    const int rows = as_int(w.rows), columns = as_int(w.columns);
    const auto status =
        cublasGemmEx(handle.get(), CUBLAS_OP_T, CUBLAS_OP_N, rows, 1, columns, &one, w.matrix.data(),
                     CUDA_R_16BF, columns, w.vector.data(), CUDA_R_16BF, columns, &zero, w.product.data(),
                     CUDA_R_32F, rows, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    vendor::check_cublas(status, "cublasGemmEx");
  };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "elements",
       .is = role::baseline,
       .idea = "a warp a row, 2 bytes a lane and load",
       .run = enqueues(launch_elements)},
      {.name = "loads", .idea = "16 bytes a load, unrolled eight times", .run = enqueues(launch_loads)},
      {.name = "async_copies",
       .idea = "cp.async: what is under way needs no registers, and each lane reads what it copied",
       .run = enqueues(launch_async_copies),
       .needs = {.compute_capability = {8, 0}}},
      {.name = "bulk_ring",
       .idea = "one thread a block keeps 64 KiB under way by bulk copies; the others hold the vector in "
               "registers",
       .run = enqueues(launch_bulk_ring),
       .needs = {.compute_capability = {9, 0}}},
      {.name = "cublas_gemm",
       .is = role::comparator,
       .idea = "cublasGemmEx with one column",
       .run = cublas_gemm,
       .needs = {.library = "cublas"},
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch07_async_prefetch_gemv
