// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <ridge/harness/experiment.hpp>

#include "coalescing.hpp"

namespace ridge::experiments::ch07_coalescing {
namespace {

// All bytes are equal, so that cudaMemsetAsync can write it.
constexpr std::uint32_t pattern = 0x5a5a5a5a;

// One pass over n words: how many it reads and writes, and its results.
struct pass {
  std::string side{};
  bool reads = false, writes = false;
  double (*expected)(const workload&, std::size_t) = nullptr;
  ladder_of<workload> cpu{}, cuda{};
  std::size_t read(std::size_t n) const { return reads ? n : 0; }
  std::size_t written(std::size_t n) const { return writes ? n : 1; }
};

experiment piece(const pass& made) {
  return experiment_of<workload>{
      .id = "ch07.coalescing",
      .title = "Coalesced accesses: " + made.side,
      .question = "What does a warp pay when its lanes read 128 bytes apart?",
      .answers = {"optimized_memory_access.py", "K7.2", "B7.1"},
      .tags = {"memory", "access-pattern"},
      .axes = {choice("side", {made.side}),
               on_cuda(values("elements", {1 << 22, 1 << 24}, {0, 1, 7, 8, 31, 32, 33, 4097, 100003}),
                       {1 << 28, 1 << 26})},
      .make =
          [made](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{pattern, m.in<std::uint32_t>(made.read(n), random_bits{}),
                            m.out<std::uint32_t>(made.written(n))};
          },
      .work =
          [made](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<std::uint32_t>(made.read(n)),
                                   writes<std::uint32_t>(made.written(n)));
          },
      .oracle = each_element(&workload::target, made.expected),
      .element = made.expected,
      .within = exact(),
      .cpu = made.cpu,
      .cuda = made.cuda,
  };
}

double sum_of_words(const workload& w, std::size_t) {
  std::uint32_t total = 0;
  for (const auto word : w.source) total += word;
  return total;
}
double pattern_of(const workload& w, std::size_t) { return w.pattern; }
double word(const workload& w, std::size_t i) { return w.source[i]; }

}  // namespace

std::vector<experiment> make() {
  return {
      piece({"loads", true, false, sum_of_words, loads_cpu, loads_cuda}),
      piece({"stores", false, true, pattern_of, stores_cpu, stores_cuda}),
      piece({"both", true, true, word, copy_cpu, copy_cuda}),
  };
}

}  // namespace ridge::experiments::ch07_coalescing
