// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "launch_configuration.hpp"

namespace ridge::experiments::ch06_launch_configuration {
namespace {

// A page: what each of the threads takes in turn.
constexpr std::size_t page_elements = 1024;

void copy_part(const workload& w, std::size_t begin, std::size_t end) {
  std::copy(w.source.data() + begin, w.source.data() + end, w.target.data() + begin);
}

void one_thread(workload& w, call&) { copy_part(w, 0, w.source.size()); }

void page_in_turn(workload& w, call& c) {
  c.team().run([&w](int rank, int ranks) {
    const auto n = w.source.size(), step = page_elements * as_count(ranks);
    for (std::size_t i = page_elements * as_count(rank); i < n; i += step) {
      copy_part(w, i, std::min(i + page_elements, n));
    }
  });
}

void chunk_per_thread(workload& w, call& c) {
  c.team().parallel_for(w.source.size(),
                        [&w](std::size_t begin, std::size_t end) { copy_part(w, begin, end); });
}

ladder<workload> cpu() {
  return {
      {.name = "one_thread", .is = role::baseline, .idea = "one thread copies everything", .run = one_thread},
      {.name = "page_in_turn",
       .idea = "every core takes each N-th page, as a grid steps over an array",
       .run = page_in_turn,
       .threads = all_cores},
      {.name = "chunk_per_thread",
       .idea = "every core copies one contiguous share",
       .run = chunk_per_thread,
       .threads = all_cores},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch06.launch_configuration",
      .title = "Block sizes and grid shapes of a copy",
      .question = "Which block size and grid shape suit a simple kernel?",
      .answers = {"my_first_kernel.cu", "simple_kernel.cu", "K6.1", "K6.2", "K6.4", "B2.4", "B6.2", "B6.3"},
      .tags = {"launch", "occupancy", "memory", "threads"},
      .axes = {on_cuda(values("elements", {1 << 23, 1 << 16}, {0, 1, 31, 32, 33, 1023, 1025, 4097, 100003}),
                       {1 << 28, 1 << 20})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n));
          },
      .oracle = [](workload& w) { std::ranges::copy(w.source, w.target.begin()); },
      .element = [](const workload& w, std::size_t i) -> double { return w.source[i]; },
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch06_launch_configuration
