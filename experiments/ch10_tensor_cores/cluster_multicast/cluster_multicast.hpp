// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/harness/workload.hpp>
#include <ridge/workloads/product_problem.hpp>

namespace ridge::experiments::ch10_cluster_multicast {

struct workload : workloads::bf16_product {
  int stages = 0;
};

[[gnu::weak]] ladder<workload> cuda();

// One call's launches; they may be enqueued any number of times. The products have sums and terms.
using enqueued = std::function<void(stream)>;

// In kernels.cu: the product by clusters of `blocks` blocks, 1, 2, 4 or 8, that share each copy of b.
[[nodiscard]] enqueued shared_by(int blocks, const workload& w);

// In blackwell.cu: the same by clusters of eight for sm_100a, whose sums are made in tensor memory.
[[nodiscard]] enqueued shared_by_eight(const workload& w);

}  // namespace ridge::experiments::ch10_cluster_multicast
