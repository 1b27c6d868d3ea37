// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/harness/experiment.hpp>

namespace ridge::experiments::ch01_coalescing {

// Copies `source` to `target`, visiting every element once.
struct workload {
  std::size_t stride = 1;
  input<float> source{};
  output<float> target{};
};

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

}  // namespace ridge::experiments::ch01_coalescing
