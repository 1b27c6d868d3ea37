// SPDX-License-Identifier: Apache-2.0
#include "timing/host_timed.hpp"

#include <chrono>

#include "timing/best_rate.hpp"

namespace ridge::backends::probe_cuda {

model::ceiling host_timed(const host_cost& cost, int samples) {
  using clock = std::chrono::steady_clock;
  std::vector<double> all;
  for (int i = 0; i <= samples; ++i) {
    const auto start = clock::now();
    for (int k = 0; k < cost.calls; ++k) cost.call();
    const std::chrono::duration<double> taken = clock::now() - start;
    if (cost.settle) cost.settle();
    if (i > 0) all.push_back(taken.count() / cost.calls);
  }
  return with_median({.id = cost.id, .description = cost.description, .unit = "s", .variant = "host's clock"},
                     std::move(all));
}

}  // namespace ridge::backends::probe_cuda
