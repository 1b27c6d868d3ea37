// SPDX-License-Identifier: Apache-2.0
#include "p2p_copy.hpp"

#include <algorithm>

namespace ridge::experiments::ch02_p2p_copy {
namespace {

constexpr int second_gpu = 1;

std::size_t returned(const problem& p) { return p.text("ways") == "both" ? p.count("elements") : 0; }

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch02.p2p_copy",
      .title = "Copies between two GPUs",
      .question = "How close does a kernel copy come to the link's limit?",
      .answers = {"nvlink_c2c_p2p_blackwell.cu", "K4.6", "B2.6"},
      .tags = {"memory", "multi-gpu", "overlap"},
      .axes = {choice("ways", {"one", "both"}),
               on_cuda(values("elements", {1 << 22, 1 << 16}, {0, 1, 63, 4097}),
                       {1 << 26, 1 << 20, 1 << 14})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements"), back = returned(p);
            return workload{m.in<float>(n, normal{}), m.out<float>(n, second_gpu),
                            m.in<float>(back, normal{}, second_gpu), m.out<float>(back)};
          },
      .work =
          [](const problem& p) {
            const auto moved = p.count("elements") + returned(p);
            const auto all = writes<float>(moved);
            return work::streaming(reads<float>(moved), all).with_items(all.value);
          },
      .oracle =
          [](workload& w) {
            std::ranges::copy(w.near, w.there.begin());
            std::ranges::copy(w.far, w.home.begin());
          },
      .within = exact(),
      .metrics = {throughput("B/s"), time_per_call()},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch02_p2p_copy
