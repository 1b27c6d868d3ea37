// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch02_p2p_copy {

// Copies in one direction or both: there = near, from the first GPU to the second, and home = far, from the
// second to the first. Where one direction is asked for, `far` and `home` are empty.
struct workload {
  input<float> near{};    // on the first GPU
  output<float> there{};  // on the second
  input<float> far{};     // on the second
  output<float> home{};   // on the first
};

[[gnu::weak]] ladder<workload> cuda();
// In kernels.cu: enqueues a copy of `source` by a kernel of the GPU that owns `queue` and reaches both
// arrays.
void launch_copy(input<float> source, output<float> target, stream queue);

}  // namespace ridge::experiments::ch02_p2p_copy
