// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <utility>

#include <ridge/kernels/square_products.hpp>
#include <ridge/vendor/cublas.hpp>

#include "batched_gemm.hpp"

namespace ridge::experiments::ch01_batched_gemm {
namespace {

void launch_per_product(workload& w, call& c) {
  for (std::int64_t i = 0; i < w.count; ++i) {
    const auto first = i * w.n * w.n;
    kernels::multiply({1, w.n, w.a.data() + first, w.b.data() + first, w.c.data() + first}, c.queue());
  }
}

void one_launch(workload& w, call& c) {
  kernels::multiply({w.count, w.n, w.a.data(), w.b.data(), w.c.data()}, c.queue());
}

// cuBLAS is column-major and reads each matrix transposed: bᵀ aᵀ is the transpose of a b.
auto cublas_loop(workload&, setup& s) {
  auto handle = vendor::open_cublas(s.queue(), s.workspace<std::byte>(vendor::cublas_workspace_bytes));
  return [handle = std::move(handle)](workload& w, call&) {
    const float one = 1, zero = 0;
    const auto n = as_int(as_count(w.n));
    if (n == 0) return;
    for (std::int64_t i = 0; i < w.count; ++i) {
      const auto first = i * w.n * w.n;
      const auto status =
          cublasSgemm(handle.get(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, w.b.data() + first, n,
                      w.a.data() + first, n, &zero, w.c.data() + first, n);
      vendor::check_cublas(status, "cublasSgemm");
    }
  };
}

auto cublas_batched(workload&, setup& s) {
  auto handle = vendor::open_cublas(s.queue(), s.workspace<std::byte>(vendor::cublas_workspace_bytes));
  return [handle = std::move(handle)](workload& w, call&) {
    const float one = 1, zero = 0;
    const auto n = as_int(as_count(w.n));
    if (n == 0 || w.count == 0) return;
    const auto status = cublasSgemmStridedBatched(handle.get(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one,
                                                  w.b.data(), n, w.n * w.n, w.a.data(), n, w.n * w.n, &zero,
                                                  w.c.data(), n, w.n * w.n, as_int(as_count(w.count)));
    vendor::check_cublas(status, "cublasSgemmStridedBatched");
  };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "launch_per_product",
       .is = role::baseline,
       .idea = "a launch for each product",
       .run = launch_per_product},
      {.name = "one_launch",
       .idea = "the same kernel once, its grid over the batch",
       .run = one_launch,
       .explanation = "forty launches become one, and a product of this size fills a few of the GPU's cores"},
      {.name = "cublas_loop",
       .is = role::comparator,
       .idea = "cublasSgemm for each product",
       .run = cublas_loop,
       .needs = {.library = "cublas"}},
      {.name = "cublas_batched",
       .is = role::comparator,
       .idea = "cublasSgemmStridedBatched",
       .run = cublas_batched,
       .needs = {.library = "cublas"}},
  };
}

}  // namespace ridge::experiments::ch01_batched_gemm
