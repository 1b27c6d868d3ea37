// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>
#include <ridge/workloads/product_problem.hpp>

namespace ridge::experiments::ch09_gemm_epilogue_fusion {

// c = gelu(a bᵀ + bias). `largest` is the largest magnitude in c, from which a scale for eight bits is made;
// empty where nobody asks for it.
struct workload : workloads::bf16_product {
  input<bf16> bias{};
  output<float> largest{};
};

[[gnu::weak]] ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

// One call's launches; they may be enqueued any number of times. The products have sums and terms.
using enqueued = std::function<void(stream)>;

// In kernels.cu: the product alone; c = gelu(c + bias); the largest magnitude of c; all three in one kernel
// whose consumers share a tile; in one whose consumers take turns.
[[nodiscard]] enqueued product_alone(const workload& w);
void launch_bias_gelu(const workload& w, stream queue);
void launch_largest(const workload& w, stream queue);
[[nodiscard]] enqueued fused(const workload& w);
[[nodiscard]] enqueued fused_in_turns(const workload& w);

}  // namespace ridge::experiments::ch09_gemm_epilogue_fusion
