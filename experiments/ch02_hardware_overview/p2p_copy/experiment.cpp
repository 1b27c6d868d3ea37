// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "p2p_copy.hpp"

namespace ridge::experiments::ch02_p2p_copy {
namespace {

constexpr int second_gpu = 1;

std::size_t returned(const problem& p) { return p.text("ways") == "both" ? p.count("elements") : 0; }

// On the CPU two cores stand for the GPUs: the same question through a buffer that both see, straight, and
// both ways at once.
auto through_a_buffer(workload& shape, setup& s) {
  return [buffer = s.workspace<float>(shape.near.size())](workload& w, call&) {
    std::ranges::copy(w.near, buffer.begin());
    std::ranges::copy(buffer, w.there.begin());
    std::ranges::copy(w.far, buffer.begin());
    std::ranges::copy(buffer.first(w.far.size()), w.home.begin());
  };
}

void straight(workload& w, call&) {
  std::ranges::copy(w.near, w.there.begin());
  std::ranges::copy(w.far, w.home.begin());
}

// The first thread copies there, the second copies home.
void by_two_threads(workload& w, call& c) {
  c.team().run([&](int rank, int) {
    if (rank == 0) std::ranges::copy(w.near, w.there.begin());
    if (rank == 1) std::ranges::copy(w.far, w.home.begin());
  });
}

ladder<workload> cpu() {
  return {
      {.name = "staged",
       .is = role::baseline,
       .idea = "into a buffer, then out of it",
       .run = through_a_buffer},
      {.name = "straight", .idea = "each byte is read and written once", .run = straight},
      {.name = "both_at_once", .idea = "a core for each direction", .run = by_two_threads, .threads = 2},
  };
}

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
