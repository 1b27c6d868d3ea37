// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch10_tcgen05_gemm {

// c = a bᵀ: a m x k, b n x k, c m x n, row-major; rows of a and b begin `pitch` elements apart, a multiple of
// eight.
struct workload {
  std::int64_t m = 0, n = 0, k = 0, pitch = 0;
  input<bf16> a{}, b{};
  output<bf16> c{};
};

[[gnu::weak]] ladder<workload> cuda();

// One call's launches; they may be enqueued any number of times. The products have sums and terms.
using enqueued = std::function<void(stream)>;

// In kernels.cu. Each block makes 128 x 256 sums by itself, or two blocks 256 x 256 by one product of both.
[[nodiscard]] enqueued one_block(const workload& w);
[[nodiscard]] enqueued block_pair(const workload& w);

}  // namespace ridge::experiments::ch10_tcgen05_gemm
