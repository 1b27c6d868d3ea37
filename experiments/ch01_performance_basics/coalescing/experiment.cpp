// SPDX-License-Identifier: Apache-2.0
#include "coalescing.hpp"

#include <algorithm>

namespace ridge::experiments::ch01_coalescing {

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.coalescing",
      .title = "Contiguous against strided access",
      .question = "How does bandwidth fall as the access stride grows?",
      .answers = {"baseline_coalescing.py", "optimized_coalescing.py"},
      .tags = {"memory", "access-pattern"},
      .axes = {values("stride", {64, 32, 16, 8, 4, 2, 1}),
               on_cuda(values("elements", {1 << 21, 1 << 24}, {0, 1, 63, 4097}), {1 << 26})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{p.count("stride"), m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n));
          },
      .oracle = [](workload& w) { std::ranges::copy(w.source, w.target.begin()); },
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_coalescing
