// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/harness/experiment.hpp>

#include "async_prefetch_gemv.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch07_async_prefetch_gemv::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A page: the hardware's prefetchers stop at its end.
constexpr std::size_t elements_ahead = 4096 / sizeof(bf16);
constexpr std::size_t line_elements = 64 / sizeof(bf16);

// Two elements are a word: the even one is the lower half, so that a shift makes it a float; the odd one
// needs its neighbour masked away.
template <bool Prefetched>
float dot(const bf16* row, const bf16* vector, std::size_t n) {
  const hn::ScalableTag<float> d;
  const hn::Repartition<std::uint32_t, decltype(d)> words;
  const std::size_t step = 2 * hn::Lanes(words);
  const auto upper = hn::Set(words, 0xFFFF'0000U);
  const auto load = [&](const bf16* source) {
    return hn::LoadU(words, reinterpret_cast<const std::uint32_t*>(source));
  };
  auto even = hn::Zero(d), odd = hn::Zero(d), next_even = hn::Zero(d), next_odd = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * step <= n; i += 2 * step) {
    if constexpr (Prefetched) {
      for (std::size_t line = 0; line < 2 * step; line += line_elements)
        hwy::Prefetch(row + i + elements_ahead + line);
    }
    const auto a = load(row + i), b = load(row + i + step), x = load(vector + i), y = load(vector + i + step);
    even = hn::MulAdd(hn::BitCast(d, hn::ShiftLeft<16>(a)), hn::BitCast(d, hn::ShiftLeft<16>(x)), even);
    odd = hn::MulAdd(hn::BitCast(d, hn::And(a, upper)), hn::BitCast(d, hn::And(x, upper)), odd);
    next_even =
        hn::MulAdd(hn::BitCast(d, hn::ShiftLeft<16>(b)), hn::BitCast(d, hn::ShiftLeft<16>(y)), next_even);
    next_odd = hn::MulAdd(hn::BitCast(d, hn::And(b, upper)), hn::BitCast(d, hn::And(y, upper)), next_odd);
  }
  const auto sums = hn::Add(hn::Add(even, odd), hn::Add(next_even, next_odd));
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; i < n; ++i) sum += float{row[i]} * float{vector[i]};
  return sum;
}

template <bool Prefetched>
void multiply(const workload& w) {
  for (std::size_t y = 0; y < w.rows; ++y)
    w.product[y] = dot<Prefetched>(w.matrix.data() + y * w.columns, w.vector.data(), w.columns);
}

void multiply_in_vectors(const workload& w) { multiply<false>(w); }
void multiply_prefetched(const workload& w) { multiply<true>(w); }

}  // namespace ridge::experiments::ch07_async_prefetch_gemv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch07_async_prefetch_gemv {
HWY_EXPORT(multiply_in_vectors);
HWY_EXPORT(multiply_prefetched);
namespace {

template <class Sum>
Sum row_times_vector(const workload& w, std::size_t y) {
  Sum sum = 0;
  for (std::size_t x = 0; x < w.columns; ++x)
    sum += Sum{float{w.matrix[y * w.columns + x]}} * Sum{float{w.vector[x]}};
  return sum;
}

void scalar(workload& w, call&) {
  for (std::size_t y = 0; y < w.rows; ++y) w.product[y] = row_times_vector<float>(w, y);
}

void simd(workload& w, call&) { HWY_DYNAMIC_DISPATCH(multiply_in_vectors)(w); }
void prefetched(workload& w, call&) { HWY_DYNAMIC_DISPATCH(multiply_prefetched)(w); }

ladder<workload> cpu() {
  return {
      {.name = "scalar",
       .is = role::baseline,
       .idea = "an element at a time, each sum waiting for the one before",
       .run = scalar},
      {.name = "simd",
       .idea = "a vector of words: even and odd elements become floats by a shift and a mask",
       .run = simd,
       .explanation = "the baseline waits for an addition of four cycles with every element of 2 bytes"},
      {.name = "prefetched",
       .idea = "lines of the next page are asked for, where the hardware's prefetchers stop",
       .run = prefetched,
       .explanation = "the baseline waits for an addition of four cycles with every element of 2 bytes"},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch07.async_prefetch_gemv",
      .title = "A bf16 matrix times a vector",
      .question = "Do asynchronous bulk copies keep a GEMV at bandwidth?",
      .answers = {"async_prefetch_tma.cu", "K7.3", "B7.5"},
      .tags = {"memory", "latency", "async-copy", "tma"},
      .axes = {on_cuda(values("rows", {2048}, {0, 1, 15, 17, 40}), {32768, 8192}),
               values("columns", {8192}, {0, 1, 8, 31, 64, 257, 1032, 8184, 8200, 9000})},
      .make =
          [](const problem& p, memory& m) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            return workload{rows, columns, m.in<bf16>(product(rows, columns), normal{}),
                            m.in<bf16>(columns, normal{}), m.out<float>(rows)};
          },
      .work =
          [](const problem& p) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            return work::streaming(reads<bf16>(rows, columns) + reads<bf16>(columns), writes<float>(rows))
                .with_flop(2 * p.real("rows") * p.real("columns"));
          },
      .oracle = each_element(&workload::product, row_times_vector<double>),
      .element = row_times_vector<double>,
      .within = [](const problem& p) { return accumulation(p.real("columns"), 0x1p-24); },
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch07_async_prefetch_gemv
#endif
