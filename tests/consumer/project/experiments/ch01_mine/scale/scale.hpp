// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/experiment.hpp>

namespace ridge::experiments::ch01_scale {

// target[i] = 2 source[i]
struct workload {
  input<float> source{};
  output<float> target{};
};

ladder<workload> cpu();

}  // namespace ridge::experiments::ch01_scale
