// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch06_unified_memory {

// target[i] = source[i] + source[i], by way of memory that has just been handed out (on a CPU) or whose pages
// are on the host (on a GPU).
struct workload {
  input<float> source{};
  output<float> target{};
};

[[gnu::weak]] ladder<workload> cuda();
// Enqueues the doubling of `source` into `target` on `queue`.
void launch_double(input<float> source, output<float> target, stream queue);

}  // namespace ridge::experiments::ch06_unified_memory
