// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <ridge/harness/experiment.hpp>

#include "gather_sorted.hpp"

namespace ridge::experiments::ch07_gather_sorted {
namespace {

void random(workload& w, call&) {
  for (std::size_t i = 0; i < w.index.size(); ++i) w.target[i] = w.table[w.index[i]];
}

// Far enough ahead that a line comes from memory meanwhile.
constexpr std::size_t ahead = 64;

void prefetched(workload& w, call&) {
  const std::size_t n = w.index.size(), last = n - std::min(n, ahead);
  for (std::size_t i = 0; i < last; ++i) {
    __builtin_prefetch(&w.table[w.index[i + ahead]]);
    w.target[i] = w.table[w.index[i]];
  }
  for (std::size_t i = last; i < n; ++i) w.target[i] = w.table[w.index[i]];
}

struct wanted {
  std::uint32_t index, place;
};

// A counting sort by bucket, then a gather whose indices fall into one bucket after the other.
auto bucketed(workload& shape, setup& s) {
  return [sorted = s.workspace<wanted>(shape.index.size())](workload& w, call&) {
    const unsigned shift = bucket_shift(w.table.size());
    std::array<std::size_t, buckets + 1> next{};
    for (const auto i : w.index) ++next[(i >> shift) + 1];
    for (std::size_t b = 1; b <= buckets; ++b) next[b] += next[b - 1];
    std::uint32_t place = 0;
    for (const auto i : w.index) sorted[next[i >> shift]++] = {i, place++};
    for (const auto& k : sorted) w.target[k.place] = w.table[k.index];
  };
}

double expected(const workload& w, std::size_t i) { return w.table[w.index[i]]; }

// A line is fetched for each element; indices and targets pass once.
double traffic_of_lines(const problem& p) { return p.real("indices") * (64 + 4 + 2 * 4); }
// The table passes once; indices twice, what is sorted is written and read, a target's line is read first.
double traffic_of_buckets(const problem& p) {
  return p.real("table") * 4 + p.real("indices") * (2 * 4 + 3 * 8 + 2 * 4);
}

ladder<workload> cpu() {
  return {
      {.name = "random",
       .is = role::baseline,
       .idea = "in the order of the indices: as many lines under way as the core looks ahead",
       .run = random,
       .traffic = traffic_of_lines,
       .traffic_reason = "the caches hold a part of the table"},
      {.name = "prefetched",
       .idea = "the line of a later index is asked for with every element",
       .run = prefetched,
       .traffic = traffic_of_lines,
       .traffic_reason = "the caches hold a part of the table"},
      {.name = "bucketed",
       .idea = "indices are sorted by parts of the table that a cache holds; the sort is timed",
       .run = bucketed,
       .traffic = traffic_of_buckets},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch07.gather_sorted",
      .title = "Gathers from a large table",
      .question = "Does sorting indices repay itself before a gather?",
      .answers = {"K7.2"},
      .tags = {"memory", "access-pattern", "gather", "sort"},
      .axes = {between(on_cuda(values("table", {1 << 24}, {1, 127, 129, 70001}), {1 << 28}), 1, 1U << 31),
               between(on_cuda(values("indices", {1 << 20, 1 << 22}, {0, 1, 33, 16383, 16385, 40000}),
                               {1 << 26, 1 << 23}),
                       0, 1U << 30)},
      .make =
          [](const problem& p, memory& m) {
            const auto table = p.count("table"), n = p.count("indices");
            return workload{m.in<float>(table, normal{}), m.in<std::uint32_t>(n, integers{table}),
                            m.out<float>(n)};
          },
      // The bytes that are asked for; which of the table's lines must be read depends on the indices.
      .work =
          [](const problem& p) {
            const auto n = p.count("indices");
            return work::streaming(reads<std::uint32_t>(n) + reads<float>(n), writes<float>(n))
                .with_items(p.real("indices"));
          },
      .oracle = each_element(&workload::target, expected),
      .element = expected,
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch07_gather_sorted
