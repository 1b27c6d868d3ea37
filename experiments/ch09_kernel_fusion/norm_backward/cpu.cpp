// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <ridge/base/element.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "norm_backward.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch09_norm_backward::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of four floats at least, so that any row can be filled up by single elements.
template <class D>
auto load([[maybe_unused]] D d, const bf16* source) {
  const hn::Rebind<std::uint32_t, D> words;
  const hn::Rebind<std::uint16_t, D> halves;
  const auto bits = hn::LoadU(halves, reinterpret_cast<const std::uint16_t*>(source));
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(words, bits)));
}

template <class D, class V>
void store([[maybe_unused]] D d, V v, bf16* target) {
  const hn::Rebind<std::uint32_t, D> words;
  const hn::Rebind<std::uint16_t, D> halves;
  const auto bits = hn::BitCast(words, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1));
  const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, odd), hn::Set(words, 0x7FFF)));
  hn::StoreU(hn::TruncateTo(halves, rounded), halves, reinterpret_cast<std::uint16_t*>(target));
}

// One row: its sums and its share of the parameters' gradients in one sweep, dx in another, while the row is
// in the first-level cache. dbias is null for an RMS norm.
void one_row(const workload& w, std::size_t row, float* dweight, float* dbias) {
  const auto begin = row * w.columns;
  const bf16 *x = w.x.data() + begin, *dy = w.dy.data() + begin;
  bf16* const dx = w.dx.data() + begin;
  const float *weight = w.weight.data(), inverse = w.inverse[row], mean = w.layer ? w.mean[row] : 0;
  const float count = static_cast<float>(w.columns);
  const auto sweep = [&](auto d, std::size_t from, std::size_t end, float& with_normal, float& alone) {
    auto products = hn::Zero(d), sums = hn::Zero(d);
    for (std::size_t i = from; i < end; i += hn::Lanes(d)) {
      const auto n = hn::Mul(hn::Sub(load(d, x + i), hn::Set(d, mean)), hn::Set(d, inverse));
      const auto dyi = load(d, dy + i), g = hn::Mul(dyi, hn::LoadU(d, weight + i));
      products = hn::MulAdd(g, n, products), sums = hn::Add(sums, g);
      hn::StoreU(hn::MulAdd(dyi, n, hn::LoadU(d, dweight + i)), d, dweight + i);
      if (dbias) hn::StoreU(hn::Add(dyi, hn::LoadU(d, dbias + i)), d, dbias + i);
    }
    with_normal += hn::GetLane(hn::SumOfLanes(d, products)), alone += hn::GetLane(hn::SumOfLanes(d, sums));
  };
  const auto finish = [&](auto d, std::size_t from, std::size_t end, float with_normal, float alone) {
    for (std::size_t i = from; i < end; i += hn::Lanes(d)) {
      const auto n = hn::Mul(hn::Sub(load(d, x + i), hn::Set(d, mean)), hn::Set(d, inverse));
      const auto g = hn::Mul(load(d, dy + i), hn::LoadU(d, weight + i));
      const auto rest = hn::Sub(hn::NegMulAdd(n, hn::Set(d, with_normal), g), hn::Set(d, alone));
      store(d, hn::Mul(rest, hn::Set(d, inverse)), dx + i);
    }
  };
  const hn::ScalableTag<float> vectors;
  const hn::CappedTag<float, 1> singles;
  const auto whole = w.columns / hn::Lanes(vectors) * hn::Lanes(vectors);
  float with_normal = 0, alone = 0;
  sweep(vectors, 0, whole, with_normal, alone);
  sweep(singles, whole, w.columns, with_normal, alone);
  with_normal /= count, alone = w.layer ? alone / count : 0;
  finish(vectors, 0, whole, with_normal, alone);
  finish(singles, whole, w.columns, with_normal, alone);
}

}  // namespace ridge::experiments::ch09_norm_backward::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch09_norm_backward {
HWY_EXPORT(one_row);
namespace {

float normal_of(const workload& w, std::size_t row, std::size_t column) {
  return (float{w.x[row * w.columns + column]} - (w.layer ? w.mean[row] : 0)) * w.inverse[row];
}

void gradient_of_rows(workload& w) {
  for (std::size_t r = 0; r < w.rows; ++r) {
    float with_normal = 0, alone = 0;
    const auto gradient = [&](std::size_t i) { return float{w.dy[r * w.columns + i]} * w.weight[i]; };
    for (std::size_t i = 0; i < w.columns; ++i) {
      with_normal += gradient(i) * normal_of(w, r, i);
      alone += gradient(i);
    }
    with_normal /= static_cast<float>(w.columns);
    alone = w.layer ? alone / static_cast<float>(w.columns) : 0;
    for (std::size_t i = 0; i < w.columns; ++i)
      w.dx[r * w.columns + i] = bf16(w.inverse[r] * (gradient(i) - normal_of(w, r, i) * with_normal - alone));
  }
}

void gradient_of_parameters(workload& w) {
  std::ranges::fill(w.dweight, 0.0F);
  std::ranges::fill(w.dbias, 0.0F);
  for (std::size_t r = 0; r < w.rows; ++r) {
    for (std::size_t i = 0; i < w.columns; ++i) {
      const float dy = w.dy[r * w.columns + i];
      w.dweight[i] += dy * normal_of(w, r, i);
      if (w.layer) w.dbias[i] += dy;
    }
  }
}

void two_passes(workload& w, call&) {
  gradient_of_rows(w);
  gradient_of_parameters(w);
}

void one_pass(workload& w, call&) {
  std::ranges::fill(w.dweight, 0.0F);
  std::ranges::fill(w.dbias, 0.0F);
  for (std::size_t r = 0; r < w.rows; ++r)
    HWY_DYNAMIC_DISPATCH(one_row)(w, r, w.dweight.data(), w.layer ? w.dbias.data() : nullptr);
}

// Each thread adds up its rows' shares of the parameters' gradients; they are added in the order of ranks.
auto every_core(workload& shape, setup& s) {
  const auto ranks = as_count(s.threads()), sums = 2 * shape.columns;
  return [partials = s.workspace<float>(ranks * sums), ranks, sums](workload& w, call& c) {
    c.team().run([&](int rank, int) {
      const auto r = as_count(rank);
      const auto own = partials.subspan(r * sums, sums);
      std::ranges::fill(own, 0.0F);
      for (std::size_t row = w.rows * r / ranks; row < w.rows * (r + 1) / ranks; ++row)
        HWY_DYNAMIC_DISPATCH(one_row)(w, row, own.data(), w.layer ? own.data() + w.columns : nullptr);
    });
    for (std::size_t i = 0; i < w.columns; ++i) {
      float dweight = 0, dbias = 0;
      for (std::size_t r = 0; r < ranks; ++r)
        dweight += partials[r * sums + i], dbias += partials[r * sums + w.columns + i];
      w.dweight[i] = dweight;
      if (w.layer) w.dbias[i] = dbias;
    }
  };
}

constexpr auto conversions = "the baseline converts and adds one element at a time, four times over";

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "two_passes",
       .is = role::baseline,
       .idea = "dx row by row, then the parameters' gradients in a second pass over everything",
       .run = two_passes},
      {.name = "one_pass",
       .idea = "both while a row is in the first-level cache, by vectors of the processor's width",
       .run = one_pass,
       .explanation = conversions},
      {.name = "all_cores",
       .idea = "rows shared among the cores, each with sums of its own",
       .run = every_core,
       .explanation = conversions,
       .threads = all_cores},
  };
}

}  // namespace ridge::experiments::ch09_norm_backward
#endif
