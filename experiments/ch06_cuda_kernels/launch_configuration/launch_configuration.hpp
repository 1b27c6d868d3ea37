// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch06_launch_configuration {

// Copies `source` to `target`: a kernel so simple that only the shape of its launch matters.
struct workload {
  input<float> source{};
  output<float> target{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a copy of kernels.cu on `queue`. A thread per element, in blocks of `threads`.
template <unsigned Threads>
void launch_exact(const workload& w, stream queue);
// As many blocks as the GPU holds at once, whose threads step over the array; the same by the occupancy API's
// block size; a thread per four vectors of 16 bytes.
void launch_resident(const workload& w, stream queue);
void launch_suggested(const workload& w, stream queue);
void launch_vectors(const workload& w, stream queue);

}  // namespace ridge::experiments::ch06_launch_configuration
