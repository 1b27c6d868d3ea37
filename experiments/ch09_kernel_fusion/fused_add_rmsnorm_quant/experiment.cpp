// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <ridge/base/element.hpp>
#include <ridge/harness/experiment.hpp>

#include "fused_add_rmsnorm_quant.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch09_fused_add_rmsnorm_quant::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using numbers = hn::ScalableTag<float>;
using words = hn::Rebind<std::uint32_t, numbers>;
using halves = hn::Rebind<std::uint16_t, numbers>;
using bytes = hn::Rebind<std::uint8_t, numbers>;

auto load(const bf16* source) {
  const auto bits = hn::LoadU(halves(), reinterpret_cast<const std::uint16_t*>(source));
  return hn::BitCast(numbers(), hn::ShiftLeft<16>(hn::PromoteTo(words(), bits)));
}

// The bits of v >> kept, rounded to nearest even.
template <int Dropped, class V>
auto rounded_bits(V v) {
  const auto bits = hn::BitCast(words(), v);
  const auto odd = hn::And(hn::ShiftRight<Dropped>(bits), hn::Set(words(), 1));
  return hn::ShiftRight<Dropped>(hn::Add(hn::Add(bits, odd), hn::Set(words(), (1U << (Dropped - 1)) - 1)));
}

// Codes of e4m3: a float's exponent and mantissa shifted and rounded, or, below 2^-6, steps of 2^-9.
template <class V>
auto e4m3_codes(V v) {
  const numbers d;
  const auto magnitude = hn::Min(hn::Abs(v), hn::Set(d, largest_e4m3));
  const auto normal = hn::Sub(rounded_bits<20>(magnitude), hn::Set(words(), 120U << 3));
  const auto steps = hn::BitCast(words(), hn::MulAdd(magnitude, hn::Set(d, 512.0F), hn::Set(d, 0x1p23F)));
  const auto small = hn::And(steps, hn::Set(words(), 15));
  const auto code =
      hn::IfThenElse(hn::RebindMask(words(), hn::Lt(magnitude, hn::Set(d, 0x1p-6F))), small, normal);
  return hn::Or(code, hn::ShiftLeft<7>(hn::ShiftRight<31>(hn::BitCast(words(), v))));
}

// A row of whole vectors: the sum is stored and both reductions are made in one sweep, the codes in another,
// while the row is in the first-level cache.
void one_row(const bf16* x, const bf16* residual, const bf16* weight, std::size_t columns, bf16* sum,
             e4m3* quantized, float* scale) {
  const numbers d;
  const auto lanes = hn::Lanes(d);
  auto squares = hn::Zero(d), largest = hn::Zero(d);
  for (std::size_t i = 0; i < columns; i += lanes) {
    const auto bits = rounded_bits<16>(hn::Add(load(x + i), load(residual + i)));
    hn::StoreU(hn::TruncateTo(halves(), bits), halves(), reinterpret_cast<std::uint16_t*>(sum + i));
    const auto s = hn::BitCast(d, hn::ShiftLeft<16>(bits));
    squares = hn::MulAdd(s, s, squares);
    largest = hn::Max(largest, hn::Abs(hn::Mul(s, load(weight + i))));
  }
  const float most = hn::GetLane(hn::MaxOfLanes(d, largest));
  const float mean = hn::GetLane(hn::SumOfLanes(d, squares)) / static_cast<float>(columns);
  *scale = most / std::sqrt(mean + epsilon) / largest_e4m3;
  const auto factor = hn::Set(d, most > 0 ? largest_e4m3 / most : 0);
  for (std::size_t i = 0; i < columns; i += lanes) {
    const auto codes = e4m3_codes(hn::Mul(hn::Mul(load(sum + i), load(weight + i)), factor));
    hn::StoreU(hn::TruncateTo(bytes(), codes), bytes(), reinterpret_cast<std::uint8_t*>(quantized + i));
  }
}

std::size_t lanes() { return hn::Lanes(numbers()); }

}  // namespace ridge::experiments::ch09_fused_add_rmsnorm_quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch09_fused_add_rmsnorm_quant {
HWY_EXPORT(one_row);
HWY_EXPORT(lanes);
namespace {

void add(workload& w) {
  for (std::size_t i = 0; i < w.sum.size(); ++i) w.sum[i] = bf16(float{w.x[i]} + float{w.residual[i]});
}

template <class Accumulator>
Accumulator inverse_root_mean_square(std::span<const bf16> row) {
  Accumulator squares = 0;
  for (const bf16 s : row) squares += Accumulator{float{s}} * Accumulator{float{s}};
  return 1 / std::sqrt(squares / static_cast<Accumulator>(row.size()) + Accumulator{epsilon});
}

void normalize(const workload& w, std::span<bf16> normalized) {
  for (std::size_t begin = 0; begin < w.sum.size(); begin += w.columns) {
    const auto row = w.sum.subspan(begin, w.columns);
    const auto inverse = inverse_root_mean_square<float>(row);
    for (std::size_t i = 0; i < w.columns; ++i)
      normalized[begin + i] = bf16(float{row[i]} * float{w.weight[i]} * inverse);
  }
}

void quantize(workload& w, std::span<const bf16> normalized) {
  for (std::size_t r = 0; r < w.rows; ++r) {
    float largest = 0;
    const auto row = normalized.subspan(r * w.columns, w.columns);
    for (const bf16 v : row) largest = std::max(largest, std::fabs(float{v}));
    w.scales[r] = largest / largest_e4m3;
    const float factor = largest > 0 ? largest_e4m3 / largest : 0;
    for (std::size_t i = 0; i < w.columns; ++i) w.quantized[r * w.columns + i] = e4m3(float{row[i]} * factor);
  }
}

void oracle(workload& w) {
  add(w);
  for (std::size_t r = 0; r < w.rows; ++r) {
    const auto row = w.sum.subspan(r * w.columns, w.columns);
    double largest = 0;
    for (std::size_t i = 0; i < w.columns; ++i)
      largest = std::max(largest, std::fabs(double{float{row[i]}} * double{float{w.weight[i]}}));
    w.scales[r] = as_float(largest * inverse_root_mean_square<double>(row) / largest_e4m3);
    for (std::size_t i = 0; i < w.columns; ++i)
      w.quantized[r * w.columns + i] = e4m3(as_float(double{float{row[i]}} * double{float{w.weight[i]}} *
                                                     (largest > 0 ? largest_e4m3 / largest : 0)));
  }
}

auto three_passes(workload& shape, setup& s) {
  return [normalized = s.workspace<bf16>(shape.sum.size())](workload& w, call&) {
    if (w.sum.empty()) return;
    add(w);
    normalize(w, normalized);
    quantize(w, normalized);
  };
}

// Rows of a length that is no multiple of the vector's are done without it.
auto fused(workload& shape, setup& s) {
  const bool vectors = shape.columns % HWY_DYNAMIC_DISPATCH(lanes)() == 0;
  return [vectors, normalized = s.workspace<bf16>(vectors ? 0 : shape.sum.size())](workload& w, call&) {
    if (w.sum.empty()) return;
    for (std::size_t r = 0; vectors && r < w.rows; ++r) {
      const auto i = r * w.columns;
      HWY_DYNAMIC_DISPATCH(one_row)
      (&w.x[i], &w.residual[i], w.weight.data(), w.columns, &w.sum[i], &w.quantized[i], &w.scales[r]);
    }
    if (vectors) return;
    add(w);
    normalize(w, normalized);
    quantize(w, normalized);
  };
}

ladder<workload> cpu() {
  return {
      {.name = "three_passes",
       .is = role::baseline,
       .idea = "a loop over all rows for each of the three steps",
       .run = three_passes},
      {.name = "fused",
       .idea =
           "each row is finished while it is in the first-level cache, by vectors of the processor's width",
       .run = fused,
       .explanation = "conversions to eight bits are done in integer arithmetic on whole vectors instead of "
                      "one by one"},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.fused_add_rmsnorm_quant",
      .title = "Residual addition, RMS norm and quantization in one kernel",
      .question = "How many byte passes do add, norm and quantize need?",
      .answers = {"K9.1", "B9.2"},
      .tags = {"fusion", "norm", "quantization", "memory"},
      .axes = {on_cuda(values("rows", {512}, {0, 1, 3}), {8192}),
               between(on_cuda(values("columns", {4096}, {1, 7, 8, 1000, 1032, 20'000}), {8192}), 1,
                       1 << 24)},
      .make =
          [](const problem& p, memory& m) {
            const auto rows = p.count("rows"), columns = p.count("columns"), n = product(rows, columns);
            return workload{rows,
                            columns,
                            m.in<bf16>(n, normal{}),
                            m.in<bf16>(n, normal{}),
                            m.in<bf16>(columns, uniform{0.5, 1.5}),
                            m.out<bf16>(n),
                            m.out<e4m3>(n),
                            m.out<float>(rows)};
          },
      .work =
          [](const problem& p) {
            const auto rows = p.count("rows"), columns = p.count("columns");
            return work::streaming(
                       reads<bf16>(2 * rows, columns) + reads<bf16>(columns),
                       writes<bf16>(rows, columns) + writes<e4m3>(rows, columns) + writes<float>(rows))
                .with_items(p.real("rows"));
          },
      .oracle = oracle,
      // One step of e4m3, where a magnitude lies next to a halfway point.
      .within = tolerance{.abs = 0x1p-9, .rel = 0.125},
      .metrics = {time_per_call(), relative_error()},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch09_fused_add_rmsnorm_quant
#endif
