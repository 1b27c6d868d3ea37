// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::four_steps {

// target = the four steps of ch01.arithmetic_intensity on each element of source.
struct workload {
  input<float> source{};
  output<float> target{};
};

// Enqueues a pass for each step.
void launch_passes(const workload& w, stream queue);

}  // namespace ridge::four_steps
