// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/harness/workload.hpp>
#include <ridge/workloads/product_problem.hpp>

namespace ridge::experiments::ch10_ping_pong {

using workload = workloads::bf16_product;

[[gnu::weak]] ladder<workload> cuda();

// One call's launches; they may be enqueued any number of times. The products have sums and terms.
using enqueued = std::function<void(stream)>;

// In kernels.cu.
[[nodiscard]] enqueued cooperative(const workload& w);
[[nodiscard]] enqueued ping_pong(const workload& w);

}  // namespace ridge::experiments::ch10_ping_pong
