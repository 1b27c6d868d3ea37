// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch07_async_prefetch_gemv {

// product = matrix * vector: operands in bf16, sums in fp32.
struct workload {
  std::size_t rows = 0, columns = 0;
  input<bf16> matrix{};  // row-major
  input<bf16> vector{};
  output<float> product{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a product of kernels.cu on `queue`. A warp takes a row: by elements; by loads of 16 bytes,
// unrolled eight times; by asynchronous copies into a ring in shared memory of which each lane fills and
// reads a part of its own. Bulk copies: a block streams rows through a ring that one thread fills. All but
// the first go to it where rows are no multiple of 16 bytes, the last to loads where a row is longer than its
// stage.
void launch_elements(const workload& w, stream queue);
void launch_loads(const workload& w, stream queue);
void launch_async_copies(const workload& w, stream queue);
void launch_bulk_ring(const workload& w, stream queue);

}  // namespace ridge::experiments::ch07_async_prefetch_gemv
