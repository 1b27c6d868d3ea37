// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include <ridge/cpu/sgemm.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "gemm_wgmma.hpp"

namespace ridge::experiments::ch10_gemm_wgmma {
namespace {

void loops(workload& w, call&) {
  for (std::int64_t i = 0; i < w.m; ++i) {
    for (std::int64_t j = 0; j < w.n; ++j) {
      float sum = 0;
      for (std::int64_t p = 0; p < w.k; ++p)
        sum += float{w.a[as_count(i * w.pitch + p)]} * float{w.b[as_count(j * w.pitch + p)]};
      w.c[as_count(i * w.n + j)] = bf16(sum);
    }
  }
}

// The operands in fp32, b transposed, and the product before it is rounded.
struct converted {
  std::span<float> a{}, b{}, c{}, scratch{};
};

converted make_converted(const workload& w, setup& s) {
  return {s.workspace<float>(as_count(w.m * w.k)), s.workspace<float>(as_count(w.k * w.n)),
          s.workspace<float>(as_count(w.m * w.n)),
          s.workspace<float>(cpu::sgemm_workspace(w.m, w.n, w.k, s.threads()))};
}

void convert(const workload& w, const converted& into) {
  for (std::int64_t i = 0; i < w.m; ++i)
    for (std::int64_t p = 0; p < w.k; ++p)
      into.a[as_count(i * w.k + p)] = float{w.a[as_count(i * w.pitch + p)]};
  constexpr std::int64_t lines = 16;  // rows of b that a cache line of the transpose holds
  for (std::int64_t begin = 0; begin < w.n; begin += lines)
    for (std::int64_t p = 0; p < w.k; ++p)
      for (auto j = begin; j < std::min(begin + lines, w.n); ++j)
        into.b[as_count(p * w.n + j)] = float{w.b[as_count(j * w.pitch + p)]};
}

void round(const converted& from, workload& w) {
  std::ranges::transform(from.c, w.c.begin(), [](float x) { return bf16(x); });
}

auto blocked(const workload& shape, setup& s) {
  const auto own = make_converted(shape, s);
  return [own](workload& w, call&) {
    convert(w, own);
    // Without packing: rows of a against rows of b, which vectors run along.
    std::ranges::fill(own.c, 0.0F);
    for (std::int64_t i = 0; i < w.m; ++i)
      for (std::int64_t p = 0; p < w.k; ++p) {
        const float x = own.a[as_count(i * w.k + p)];
        for (std::int64_t j = 0; j < w.n; ++j)
          own.c[as_count(i * w.n + j)] += x * own.b[as_count(p * w.n + j)];
      }
    round(own, w);
  };
}

auto packed(const workload& shape, setup& s) {
  const auto own = make_converted(shape, s);
  return [own](workload& w, call&) {
    convert(w, own);
    cpu::sgemm(w.m, w.n, w.k, own.a.data(), w.k, own.b.data(), w.n, own.c.data(), w.n, own.scratch);
    round(own, w);
  };
}

auto threads(const workload& shape, setup& s) {
  const auto own = make_converted(shape, s);
  return [own](workload& w, call& c) {
    convert(w, own);
    cpu::sgemm(c.team(), w.m, w.n, w.k, own.a.data(), w.k, own.b.data(), w.n, own.c.data(), w.n, own.scratch);
    round(own, w);
  };
}

// Why gains over plain loops exceed ten times.
constexpr auto one_sum_at_a_time =
    "the baseline adds one product at a time to one sum, and converts each operand as often as it uses it";

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "loops",
       .is = role::baseline,
       .idea = "three loops that convert each element as they use it",
       .run = loops,
       .arithmetic = arithmetic::bf16,
       .pedagogy = true},
      {.name = "converted",
       .idea = "operands converted once, b transposed, so that vectors run along its rows",
       .run = blocked,
       .explanation = one_sum_at_a_time,
       .arithmetic = arithmetic::bf16},
      {.name = "packed",
       .idea = "panels packed in the order of use and fetched ahead; sums in registers",
       .run = packed,
       .explanation = one_sum_at_a_time,
       .arithmetic = arithmetic::bf16},
      {.name = "threads",
       .idea = "all cores share the packed b",
       .run = threads,
       .explanation = one_sum_at_a_time,
       .threads = all_cores,
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch10_gemm_wgmma
