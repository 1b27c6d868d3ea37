// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch01_coalescing {

// Copies `source` to `target`, visiting every element once.
struct workload {
  std::size_t stride = 1;
  input<float> source{};
  output<float> target{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a copy of kernels.cu on `queue`. Neighbouring lanes of a warp copy elements that lie `stride`
// apart; elements side by side; 16 bytes per lane.
void launch_strided(const workload& w, stream queue);
void launch_contiguous(const workload& w, stream queue);
void launch_vectorized(const workload& w, stream queue);

}  // namespace ridge::experiments::ch01_coalescing
