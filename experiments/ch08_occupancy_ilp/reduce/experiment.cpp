// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <numeric>
#include <span>

#include <ridge/cpu/sum.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "reduce.hpp"

namespace ridge::experiments::ch08_reduce {
namespace {

void one_sum(workload& w, call&) {
  float total = 0;
  for (const float x : w.terms) total += x;
  w.sum[0] = total;
}

void local_sums(workload& w, call&) {
  const auto x = w.terms;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) s0 += x[i], s1 += x[i + 1], s2 += x[i + 2], s3 += x[i + 3];
  for (; i < x.size(); ++i) s0 += x[i];
  w.sum[0] = (s0 + s1) + (s2 + s3);
}

void simd(workload& w, call&) { w.sum[0] = cpu::sum_by_4_vectors(w.terms); }

// Each thread's sum has a cache line of its own; they are added in the order of the ranks.
auto every_core(workload&, setup& s) {
  constexpr std::size_t line = 16;
  const auto count = as_count(s.threads());
  return [sums = s.workspace<float>(line * count), count](workload& w, call& c) {
    c.team().run([&](int rank, int) {
      const auto r = as_count(rank), n = w.terms.size(), begin = n * r / count, end = n * (r + 1) / count;
      sums[line * r] = cpu::sum_by_4_vectors(w.terms.subspan(begin, end - begin));
    });
    float total = 0;
    for (std::size_t r = 0; r < count; ++r) total += sums[line * r];
    w.sum[0] = total;
  };
}

ladder<workload> on_cpu() {
  return {
      {.name = "one_sum",
       .is = role::baseline,
       .idea = "each addition waits for the one before",
       .run = one_sum},
      {.name = "local_sums", .idea = "four sums that do not wait for each other", .run = local_sums},
      {.name = "simd",
       .idea = "four vectors of sums",
       .run = simd,
       .explanation = "sixteen times four sums instead of one, whose additions each take four cycles"},
      {.name = "all_cores",
       .idea = "a share for each core",
       .run = every_core,
       .explanation = "the same, by every core",
       .threads = all_cores},
  };
}

// Eight sums, so that a GPU's many terms are not waited for.
double expected(const workload& w, std::size_t) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= w.terms.size(); i += sums.size())
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += w.terms[i + k];
  for (; i < w.terms.size(); ++i) sums[0] += w.terms[i];
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch08.reduce",
      .title = "Summing a long array",
      .question = "How does a reduction climb from atomics to bandwidth?",
      .answers = {"B7.4", "B8.5"},
      .tags = {"reduction", "memory", "ilp", "atomics"},
      .axes = {on_cuda(
          values("elements", {1 << 22, 1 << 24}, {0, 1, 3, 63, 64, 65, 1023, 4097, 131071, 131073}),
          {1 << 30})},
      .make =
          [](const problem& p, memory& m) {
            return workload{m.in<float>(p.count("elements"), normal{}), m.out<float>(1)};
          },
      .work =
          [](const problem& p) {
            return work::streaming(reads<float>(p.count("elements")), writes<float>(1))
                .with_flop(p.real("elements"));
          },
      .oracle = each_element(&workload::sum, expected),
      .element = expected,
      .within = [](const problem& p) { return accumulation(p.real("elements"), 0x1p-24); },
      .cpu = on_cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch08_reduce
