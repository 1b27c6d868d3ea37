// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch10_cluster_multicast {

// c = a bᵀ: a m x k, b n x k, c m x n, row-major; rows of a and b begin `pitch` elements apart, a multiple of
// eight.
struct workload {
  std::int64_t m = 0, n = 0, k = 0, pitch = 0;
  int stages = 0;
  input<bf16> a{}, b{};
  output<bf16> c{};
};

[[gnu::weak]] ladder<workload> cuda();

// One call's launches; they may be enqueued any number of times. The products have sums and terms.
using enqueued = std::function<void(stream)>;

// In kernels.cu: the product by clusters of `blocks` blocks, 1, 2, 4 or 8, that share each copy of b.
[[nodiscard]] enqueued shared_by(int blocks, const workload& w);

// In blackwell.cu: the same by clusters of eight for sm_100a, whose sums are made in tensor memory.
[[nodiscard]] enqueued shared_by_eight(const workload& w);

}  // namespace ridge::experiments::ch10_cluster_multicast
