// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <utility>

#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/square_products.hpp>
#include <ridge/vendor/cublas.hpp>

#include "roofline_placement.hpp"

namespace ridge::experiments::ch01_roofline_placement {
namespace {

variant<workload> plain(std::string idea, recipe<workload> run) {
  return {.name = "plain", .is = role::baseline, .idea = std::move(idea), .run = std::move(run)};
}

variant<workload> vectorized(std::string idea, recipe<workload> run) {
  return {.name = "vectorized", .idea = std::move(idea), .run = std::move(run)};
}

variant<workload> with_cublas(std::string idea, recipe<workload> run) {
  return {.name = "cublas",
          .is = role::comparator,
          .idea = std::move(idea),
          .run = std::move(run),
          .needs = {.library = "cublas"}};
}

auto dot_by_two_kernels(const workload& shape, setup& s) {
  return [partial = s.workspace<float>(on_gpu::plain_dot_blocks(shape.a.size()))](workload& w, call& c) {
    on_gpu::plain_dot(w, partial, c.queue());
  };
}

auto dot_by_one_kernel(const workload& shape, setup& s) {
  return [partial = s.workspace<float>(on_gpu::vectorized_dot_blocks(shape.a.size())),
          finished = s.workspace<unsigned>(1)](workload& w, call& c) {
    on_gpu::vectorized_dot(w, partial, finished.data(), c.queue());
  };
}

vendor::cublas_handle open_cublas(setup& s) {
  return vendor::open_cublas(s.queue(), s.workspace<std::byte>(vendor::cublas_workspace_bytes));
}

// The result stays on the device: no call waits for it.
auto cublas_dot(workload&, setup& s) {
  auto handle = open_cublas(s);
  vendor::check_cublas(cublasSetPointerMode(handle.get(), CUBLAS_POINTER_MODE_DEVICE),
                       "cublasSetPointerMode");
  return [handle = std::move(handle)](workload& w, call& c) {
    if (w.a.empty())
      return gpu::check(cudaMemsetAsync(w.c.data(), 0, sizeof(float), c.queue()), "cudaMemsetAsync");
    vendor::check_cublas(
        cublasSdot(handle.get(), as_int(w.a.size()), w.a.data(), 1, w.b.data(), 1, w.c.data()), "cublasSdot");
  };
}

// cuBLAS is column-major: it reads a row-major matrix transposed.
auto cublas_gemv(workload&, setup& s) {
  return [handle = open_cublas(s)](workload& w, call&) {
    const float one = 1, zero = 0;
    const auto n = as_int(w.n);
    if (n == 0) return;
    vendor::check_cublas(cublasSgemv(handle.get(), CUBLAS_OP_T, n, n, &one, w.a.data(), n, w.b.data(), 1,
                                     &zero, w.c.data(), 1),
                         "cublasSgemv");
  };
}

auto cublas_gemm(workload&, setup& s) {
  return [handle = open_cublas(s)](workload& w, call&) {
    const float one = 1, zero = 0;
    const auto n = as_int(w.n);
    if (n == 0) return;
    vendor::check_cublas(cublasSgemm(handle.get(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, w.b.data(), n,
                                     w.a.data(), n, &zero, w.c.data(), n),
                         "cublasSgemm");
  };
}

void tiled_gemm(workload& w, call& c) {
  kernels::multiply({1, as_integer(w.n), w.a.data(), w.b.data(), w.c.data()}, c.queue());
}

}  // namespace

ladder<workload> vector_add_cuda() {
  return {plain("an element a thread", enqueues(on_gpu::plain_add)),
          vectorized("16 bytes a load", enqueues(on_gpu::vectorized_add))};
}

ladder<workload> dot_cuda() {
  return {
      plain("an element a thread, a kernel for the sums of blocks, one for their sum", dot_by_two_kernels),
      vectorized("16 bytes a load, one launch: the last block adds what the others left", dot_by_one_kernel),
      with_cublas("cublasSdot", cublas_dot)};
}

ladder<workload> softmax_cuda() {
  return {plain("a block a row, which is read three times", enqueues(on_gpu::plain_softmax)),
          vectorized("the row in registers, read once by 16 bytes", enqueues(on_gpu::vectorized_softmax))};
}

ladder<workload> norm_cuda() {
  return {plain("a block a row, which is read three times", enqueues(on_gpu::plain_norm)),
          vectorized("the row in registers, read once by 16 bytes", enqueues(on_gpu::vectorized_norm))};
}

ladder<workload> gemv_cuda() {
  return {plain("a warp a row, an element a lane", enqueues(on_gpu::plain_gemv)),
          vectorized("16 bytes a load, all rows at work at once", enqueues(on_gpu::vectorized_gemv)),
          with_cublas("cublasSgemv", cublas_gemv)};
}

ladder<workload> gemm_cuda() {
  return {plain("an element of the result a thread", enqueues(on_gpu::plain_gemm)),
          {.name = "tiled", .idea = "tiles in registers, panels in shared memory", .run = tiled_gemm},
          with_cublas("cublasSgemm", cublas_gemm)};
}

}  // namespace ridge::experiments::ch01_roofline_placement
