// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/experiment.hpp>

#include "chain.hpp"

namespace ridge::experiments::ch01_arithmetic_intensity {

// target = f4(f3(f2(f1(source)))) element by element.
struct workload {
  input<float> source{};
  output<float> target{};
};

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

}  // namespace ridge::experiments::ch01_arithmetic_intensity
