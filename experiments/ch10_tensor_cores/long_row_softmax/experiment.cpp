// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>

#include <ridge/harness/experiment.hpp>

#include "long_row_softmax.hpp"

// hwy's exponential takes a vector; SVE's have no size to keep several of them in registers.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch10_long_row_softmax::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The largest of n numbers; -infinity of none.
float largest(const float* x, std::size_t n) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), whole = n / lanes * lanes;
  auto most = hn::Set(d, -INFINITY);
  for (std::size_t i = 0; i < whole; i += lanes) most = hn::Max(most, hn::LoadU(d, x + i));
  float all = hn::GetLane(hn::MaxOfLanes(d, most));
  for (std::size_t i = whole; i < n; ++i) all = std::max(all, x[i]);
  return all;
}

// y = exp(x - offset); returns the sum.
float exponentials(const float* x, float* y, std::size_t n, float offset) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), whole = n / lanes * lanes;
  auto sums = hn::Zero(d);
  for (std::size_t i = 0; i < whole; i += lanes) {
    const auto e = hn::Exp(d, hn::Sub(hn::LoadU(d, x + i), hn::Set(d, offset)));
    hn::StoreU(e, d, y + i);
    sums = hn::Add(sums, e);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (std::size_t i = whole; i < n; ++i) sum += y[i] = std::exp(x[i] - offset);
  return sum;
}

}  // namespace ridge::experiments::ch10_long_row_softmax::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch10_long_row_softmax {
HWY_EXPORT(largest);
HWY_EXPORT(exponentials);
namespace {

// 128 KiB of the source and of the target stay in a second-level cache.
constexpr std::size_t block = std::size_t{1} << 15;

void scale(std::span<float> y, float factor) {
  for (float& e : y) e *= factor;
}

void three_passes(workload& w, call&) {
  for (std::size_t first = 0; first < w.source.size(); first += w.columns) {
    const float* x = w.source.data() + first;
    const auto y = w.target.subspan(first, w.columns);
    const float most = HWY_DYNAMIC_DISPATCH(largest)(x, w.columns);
    scale(y, 1 / HWY_DYNAMIC_DISPATCH(exponentials)(x, y.data(), w.columns, most));
  }
}

// Each block's maximum is found just before its exponentials, which are relative to the largest element so
// far.
auto blocked(workload& shape, setup& s) {
  return [offsets = s.workspace<float>((shape.columns + block - 1) / block)](workload& w, call&) {
    for (std::size_t first = 0; first < w.source.size(); first += w.columns) {
      const float* x = w.source.data() + first;
      const auto y = w.target.subspan(first, w.columns);
      float most = -INFINITY, sum = 0;
      for (std::size_t b = 0; b < offsets.size(); ++b) {
        const std::size_t begin = b * block, n = std::min(block, w.columns - begin);
        const float larger = std::max(most, HWY_DYNAMIC_DISPATCH(largest)(x + begin, n));
        sum = sum * std::exp(most - larger) +
              HWY_DYNAMIC_DISPATCH(exponentials)(x + begin, y.data() + begin, n, larger);
        offsets[b] = most = larger;
      }
      for (std::size_t b = 0; b < offsets.size(); ++b)
        scale(y.subspan(b * block, std::min(block, w.columns - b * block)),
              std::exp(offsets[b] - most) / sum);
    }
  };
}

std::function<double(const problem&)> passes(double count) {
  return [count](const problem& p) { return count * 4 * p.real("rows") * p.real("columns"); };
}

ladder<workload> cpu() {
  return {
      {.name = "three_passes",
       .is = role::baseline,
       .idea = "the row is read for its maximum, read again for the exponentials, and these are scaled",
       .run = three_passes,
       .traffic = passes(6)},
      {.name = "blocked",
       .idea = "a block's maximum is found when its elements come into the cache for their exponentials",
       .run = blocked,
       .traffic = passes(5)},
  };
}

void expect(workload& w) {
  for (std::size_t first = 0; first < w.source.size(); first += w.columns) {
    const auto x = w.source.subspan(first, w.columns);
    const double most = *std::ranges::max_element(x);
    double sum = 0;
    for (const float e : x) sum += std::exp(e - most);
    for (std::size_t i = 0; i < x.size(); ++i) w.target[first + i] = as_float(std::exp(x[i] - most) / sum);
  }
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.long_row_softmax",
      .title = "Softmax of rows of a megabyte",
      .question = "Can a cluster keep a 1 MB row on chip?",
      .answers = {"B10.4"},
      .tags = {"softmax", "clusters", "memory"},
      .axes = {on_cuda(values("rows", {8}, {0, 1, 3}), {4096}),
               between(values("columns", {262144}, {1, 17, 4096, 65538}), 1, 1 << 26)},
      .make =
          [](const problem& p, memory& m) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            return workload{rows, columns, m.in<float>(product(rows, columns), normal{}),
                            m.out<float>(product(rows, columns))};
          },
      .work =
          [](const problem& p) {
            const auto elements = product(p.count("rows"), p.count("columns"));
            return work::streaming(reads<float>(elements), writes<float>(elements))
                .with_flop(4 * p.real("rows") * p.real("columns"))
                .with_items(p.real("rows"));
          },
      .oracle = expect,
      // The exponential's error grows with its argument: some 10 times 2^-22, and sums of 2^18 terms add to
      // it.
      .within = tolerance{.abs = 1e-30, .rel = 0x1p-16},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_long_row_softmax
#endif
