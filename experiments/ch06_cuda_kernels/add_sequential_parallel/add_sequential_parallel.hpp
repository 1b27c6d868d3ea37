// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch06_add_sequential_parallel {

// sum[i] = left[i] + right[i].
struct workload {
  input<float> left{}, right{};
  output<float> sum{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues the addition on `queue`: by one thread; by one block; by a thread per element; by a thread
// per four vectors of 16 bytes; by cub::DeviceTransform.
void launch_one_thread(const workload& w, stream queue);
void launch_one_block(const workload& w, stream queue);
void launch_parallel(const workload& w, stream queue);
void launch_vectors(const workload& w, stream queue);
void launch_cub(const workload& w, stream queue);

}  // namespace ridge::experiments::ch06_add_sequential_parallel
