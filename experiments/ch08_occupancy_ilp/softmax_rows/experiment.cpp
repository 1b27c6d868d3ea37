// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "softmax_rows.hpp"

// hwy's exponential takes a vector; SVE's have no size to keep several of them in registers.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <hwy/contrib/math/math-inl.h>
#pragma GCC diagnostic pop

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch08_softmax_rows::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using wide = hn::ScalableTag<float>;
using narrow = hn::Rebind<std::uint16_t, wide>;

HWY_INLINE hn::Vec<wide> floats_at(const bf16* source) {
  const hn::RebindToUnsigned<wide> bits;
  const auto halves = hn::LoadU(narrow(), reinterpret_cast<const std::uint16_t*>(source));
  return hn::BitCast(wide(), hn::ShiftLeft<16>(hn::PromoteTo(bits, halves)));
}

// Rounds positive numbers to nearest even.
HWY_INLINE void store_bf16(hn::Vec<wide> v, bf16* target) {
  const hn::RebindToSigned<wide> bits;
  const auto word = hn::BitCast(bits, v);
  const auto odd = hn::And(hn::ShiftRight<16>(word), hn::Set(bits, 1));
  const auto rounded = hn::ShiftRight<16>(hn::Add(word, hn::Add(odd, hn::Set(bits, 0x7FFF))));
  hn::StoreU(hn::DemoteTo(narrow(), rounded), narrow(), reinterpret_cast<std::uint16_t*>(target));
}

// One row; `exponentials` has room for it.
void softmax(const bf16* source, bf16* target, float* exponentials, std::size_t n) {
  const wide d;
  const std::size_t lanes = hn::Lanes(d), whole = n / lanes * lanes;
  float largest = source[0];
  if (whole != 0) {
    auto most = floats_at(source);
    for (std::size_t i = lanes; i < whole; i += lanes) most = hn::Max(most, floats_at(source + i));
    largest = hn::GetLane(hn::MaxOfLanes(d, most));
  }
  for (std::size_t i = whole; i < n; ++i) largest = std::max(largest, float{source[i]});
  auto sums = hn::Zero(d);
  for (std::size_t i = 0; i < whole; i += lanes) {
    const auto e = hn::Exp(d, hn::Sub(floats_at(source + i), hn::Set(d, largest)));
    hn::StoreU(e, d, exponentials + i);
    sums = hn::Add(sums, e);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (std::size_t i = whole; i < n; ++i) sum += exponentials[i] = std::exp(source[i] - largest);
  const float scale = 1 / sum;
  for (std::size_t i = 0; i < whole; i += lanes)
    store_bf16(hn::Mul(hn::LoadU(d, exponentials + i), hn::Set(d, scale)), target + i);
  for (std::size_t i = whole; i < n; ++i) target[i] = bf16(exponentials[i] * scale);
}

}  // namespace ridge::experiments::ch08_softmax_rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch08_softmax_rows {
HWY_EXPORT(softmax);
namespace {

void scalar(workload& w, call&) {
  for (std::size_t row = 0; row < w.rows; ++row) {
    const auto x = w.source.subspan(row * w.columns, w.columns);
    const auto y = w.target.subspan(row * w.columns, w.columns);
    float most = -INFINITY, sum = 0;
    for (const float e : x) most = std::max(most, e);
    for (const float e : x) sum += std::exp(e - most);
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = bf16(std::exp(x[i] - most) / sum);
  }
}

void rows_by_simd(workload& w, float* exponentials, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin * w.columns; i < end * w.columns; i += w.columns)
    HWY_DYNAMIC_DISPATCH(softmax)(w.source.data() + i, w.target.data() + i, exponentials, w.columns);
}

auto simd(workload& shape, setup& s) {
  return [row = s.workspace<float>(shape.columns)](workload& w, call&) {
    rows_by_simd(w, row.data(), 0, w.rows);
  };
}

auto every_core(workload& shape, setup& s) {
  const std::size_t apart = (shape.columns + 15) / 16 * 16;  // whole cache lines
  return [rows = s.workspace<float>(apart * as_count(s.threads())), apart](workload& w, call& c) {
    c.team().run([&](int rank, int ranks) {
      const auto r = as_count(rank), n = as_count(ranks);
      rows_by_simd(w, rows.data() + r * apart, w.rows * r / n, w.rows * (r + 1) / n);
    });
  };
}

// Why gains over the scalar loop exceed ten times.
constexpr auto scalar_exponentials =
    "the baseline calls the C library's exponential twice for each element; all compute in fp32";

ladder<workload> cpu() {
  return {
      {.name = "scalar",
       .is = role::baseline,
       .idea = "the C library's exponential, element by element",
       .run = scalar,
       .explanation = "exponentials and their sum are computed in fp32; the arrays hold bf16",
       .arithmetic = arithmetic::bf16},
      {.name = "simd",
       .idea = "a vector of exponentials at once, each computed once",
       .run = simd,
       .explanation = scalar_exponentials,
       .arithmetic = arithmetic::bf16},
      {.name = "all_cores",
       .idea = "the same by every core",
       .run = every_core,
       .explanation = scalar_exponentials,
       .threads = all_cores,
       .arithmetic = arithmetic::bf16},
  };
}

// The largest element of a row, and the sum of its exponentials.
struct facts_of_row {
  double most = -INFINITY, sum = 0;
  facts_of_row(const workload& w, std::size_t row) {
    const auto x = w.source.subspan(row * w.columns, w.columns);
    for (const float e : x) most = std::max(most, double{e});
    for (const float e : x) sum += std::exp(e - most);
  }
  [[nodiscard]] double softmax(float x) const { return std::exp(x - most) / sum; }
};

void expect(workload& w) {
  for (std::size_t row = 0; row < w.rows; ++row) {
    const facts_of_row facts(w, row);
    for (std::size_t i = row * w.columns; i < (row + 1) * w.columns; ++i)
      w.target[i] = bf16(as_float(facts.softmax(w.source[i])));
  }
}

double expected(const workload& w, std::size_t i) {
  return facts_of_row(w, i / w.columns).softmax(w.source[i]);
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch08.softmax_rows",
      .title = "Softmax of rows in bf16",
      .question = "One block or one warp per softmax or RMSNorm row?",
      .answers = {"B8.4"},
      .tags = {"softmax", "memory", "warp", "bf16", "simd"},
      .axes = {on_cuda(values("rows", {512}, {0, 1, 5, 17}), {65536}),
               on_cuda(values("columns", {1024, 8192}, {1, 7, 8, 31, 264, 1000, 1025, 2056, 4104, 8200}),
                       {1024, 8192})},
      .make =
          [](const problem& p, memory& m) {
            const auto rows = p.count("rows"), columns = p.count("columns"), n = product(rows, columns);
            return workload{rows, columns, m.in<bf16>(n, normal{}), m.out<bf16>(n)};
          },
      .work =
          [](const problem& p) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            // Per element: a comparison, a difference, an exponential, a sum and a product.
            return work::streaming(reads<bf16>(rows, columns), writes<bf16>(rows, columns))
                .with_flop(5 * p.real("rows") * p.real("columns"));
          },
      .oracle = expect,
      .element = expected,
      // Both roundings to bf16 may go the other way: one step of the type.
      .within = tolerance{.abs = 1e-30, .rel = 0x1p-7},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch08_softmax_rows
#endif
