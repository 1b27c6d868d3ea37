// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch10_ping_pong {

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

// In kernels.cu.
[[nodiscard]] enqueued cooperative(const workload& w);
[[nodiscard]] enqueued ping_pong(const workload& w);

}  // namespace ridge::experiments::ch10_ping_pong
