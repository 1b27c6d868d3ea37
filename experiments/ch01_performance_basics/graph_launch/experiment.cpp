// SPDX-License-Identifier: Apache-2.0
#include "graph_launch.hpp"

#include <algorithm>

namespace ridge::experiments::ch01_graph_launch {
namespace {

float chain(const workload& w, std::size_t i) {
  float y = w.source[i];
  for (std::size_t k = 0; k < chain_length; k += 4) {
    y = y * w.parameters[k];
    y = y + w.addend[i];
    y = std::max(y, w.parameters[k + 2]);
    y = y - w.parameters[k + 3];
  }
  return y;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.graph_launch",
      .title = "Launch cost of a chain of small operations",
      .question = "What does launching 256 tiny dependent kernels cost?",
      .answers = {"performance_basics_optimized.py", "B11.4"},
      .tags = {"launch", "fusion"},
      .axes = {values("elements", {1 << 10, 1 << 14, 1 << 17, 1 << 20}, {0, 1, 1023, 1097})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.in<float>(n, normal{}),
                            m.in<float>(chain_length, uniform{0.5, 1.0}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(2, n) + reads<float>(chain_length), writes<float>(n))
                .with_flop(chain_length * p.real("elements"))
                .with_items(chain_length);
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.target.size(); ++i) w.target[i] = chain(w, i);
          },
      .within = exact(),
      .metrics = {time_per_call(), throughput("operations/s")},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_graph_launch
