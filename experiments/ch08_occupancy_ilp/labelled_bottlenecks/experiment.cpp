// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "labelled_bottlenecks.hpp"

namespace ridge::experiments::ch08_labelled_bottlenecks {
namespace {

void apply(const workload& w, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) w.target[i] = w.source[i] * scale + shift;
}

void dram(workload& w, call&) { apply(w, 0, w.source.size()); }

// The next line's number waits for what was read of this one.
void latency(workload& w, call&) {
  std::uint32_t last = 0;
  for (const std::uint32_t& place : w.order) {
    const std::size_t line = (&place)[last & w.zero];
    const auto begin = line * line_elements, end = std::min(begin + line_elements, w.source.size());
    apply(w, begin, end);
    last = std::bit_cast<std::uint32_t>(w.source[begin]);
  }
}

// Both sides compute the same, in ways that no compiler merges.
void branch_misses(workload& w, call&) {
  for (std::size_t i = 0; i < w.source.size(); ++i) {
    const float x = w.source[i];
    if (x > 0)
      w.target[i] = x * w.unity * scale + shift;
    else
      w.target[i] = x / w.unity * scale + shift;
  }
}

// Each thread counts its elements in a word of its own; the words share a line.
auto false_sharing(workload&, setup& s) {
  return [counts = s.workspace<std::uint64_t>(as_count(s.threads()))](workload& w, call& c) {
    c.team().run([&](int rank, int ranks) {
      const auto r = as_count(rank), all = as_count(ranks), n = w.source.size();
      volatile std::uint64_t& count = counts[r];
      for (std::size_t i = n / all * r; i < (r + 1 == all ? n : n / all * (r + 1)); ++i) {
        w.target[i] = w.source[i] * scale + shift;
        count = count + 1;
      }
    });
  };
}

ladder<workload> cpu() {
  return {
      {.name = "dram",
       .is = role::baseline,
       .idea = "planted: nothing but bytes; expected: near the ceiling",
       .run = dram},
      {.name = "latency",
       .idea = "planted: lines in random order, each known after the one before; expected: far below",
       .run = latency},
      {.name = "branch_misses",
       .idea = "planted: a branch on the sign of random numbers; expected: far below",
       .run = branch_misses},
      {.name = "false_sharing",
       .idea = "planted: counters of all threads in one line; expected: far below",
       .run = false_sharing,
       .threads = all_cores},
  };
}

double expected(const workload& w, std::size_t index) {
  return double{w.source[index]} * double{scale} + double{shift};
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch08.labelled_bottlenecks",
      .title = "Planted bottlenecks and their names",
      .question = "Does the diagnosis name each planted bottleneck?",
      .answers = {"B8.1", "B8.2"},
      .tags = {"diagnosis", "memory", "latency", "divergence"},
      .axes = {on_cuda(values("elements", {1 << 22}, {0, 1, 15, 16, 17, 33, 1025, 4099}), {1 << 25})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}),
                            m.in<std::uint32_t>((n + line_elements - 1) / line_elements, permutation{}),
                            m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n)).with_flop(2 * p.real("elements"));
          },
      .oracle = each_element(&workload::target, expected),
      .element = expected,
      .within = tolerance{.abs = 0x1p-23, .rel = 0x1p-22},  // two roundings
      .informational = true,
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch08_labelled_bottlenecks
