// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/harness/workload.hpp>
#include <ridge/workloads/product_problem.hpp>

namespace ridge::experiments::ch10_tcgen05_gemm {

using workload = workloads::bf16_product;

[[gnu::weak]] ladder<workload> cuda();

// One call's launches; they may be enqueued any number of times. The products have sums and terms.
using enqueued = std::function<void(stream)>;

// In kernels.cu. Each block makes 128 x 256 sums by itself, or two blocks 256 x 256 by one product of both.
[[nodiscard]] enqueued one_block(const workload& w);
[[nodiscard]] enqueued block_pair(const workload& w);

}  // namespace ridge::experiments::ch10_tcgen05_gemm
