// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>

#include <ridge/base/element.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "wide.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch09_w4a16_gemm::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using numbers = hn::CappedTag<float, 8>;

// The product of two rows of n numbers, one in bf16.
float dot_wide(const bf16* weights, const float* a, std::size_t n) {
  const numbers d;
  const hn::Rebind<std::uint32_t, numbers> words;
  const hn::Rebind<std::uint16_t, numbers> halves;
  auto sums = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto bits = hn::LoadU(halves, reinterpret_cast<const std::uint16_t*>(weights + i));
    sums =
        hn::MulAdd(hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(words, bits))), hn::LoadU(d, a + i), sums);
  }
  return hn::GetLane(hn::SumOfLanes(d, sums));
}

// Adds the products of sixteen activations, the even ones first, and the weights of eight bytes of codes,
// which are looked up in a table.
template <class V>
V add_sixteen(const std::int8_t* table, const std::uint8_t* codes, const float* a, V sums) {
  const numbers d;
  const hn::Rebind<std::int32_t, numbers> words;
  const auto add = [&](auto values, const float* terms, V sum) {
    return hn::MulAdd(hn::ConvertTo(d, hn::PromoteTo(words, values)), hn::LoadU(d, terms), sum);
  };
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < 8; ++i) {
    sums = add(hn::Set(hn::Rebind<std::int8_t, numbers>(), table[codes[i] & 15]), a + i, sums);
    sums = add(hn::Set(hn::Rebind<std::int8_t, numbers>(), table[codes[i] >> 4]), a + 8 + i, sums);
  }
  return sums;
#else
  const hn::Full128<std::uint8_t> d8;
  const hn::Full64<std::uint8_t> half;
  const hn::Full64<std::int8_t> eight;
  const auto bytes = hn::LoadU(half, codes);
  const auto odd = hn::BitCast(half, hn::ShiftRight<4>(hn::BitCast(hn::Full64<std::uint16_t>(), bytes)));
  const auto both = hn::And(hn::Combine(d8, odd, bytes), hn::Set(d8, std::uint8_t{15}));
  const auto found = hn::TableLookupBytes(hn::LoadU(d8, reinterpret_cast<const std::uint8_t*>(table)), both);
  if constexpr (hn::MaxLanes(numbers()) == 8) {
    sums = add(hn::BitCast(eight, hn::LowerHalf(half, found)), a, sums);
    return add(hn::BitCast(eight, hn::UpperHalf(half, found)), a + 8, sums);
  } else {
    std::uint8_t values[16];
    hn::StoreU(found, d8, values);
    const hn::Rebind<std::int8_t, numbers> some;
    for (std::size_t k = 0; k < 16; k += hn::Lanes(d))
      sums = add(hn::LoadU(some, reinterpret_cast<const std::int8_t*>(values) + k), a + k, sums);
    return sums;
  }
#endif
}

// The product of n activations and weights in four bits; each scale belongs to so many times sixteen.
float dot_codes(const std::int8_t* table, const std::uint8_t* codes, const float* a, const float* scales,
                std::size_t sixteens_a_scale, std::size_t n) {
  const numbers d;
  auto total = hn::Zero(d);
  for (std::size_t s = 0; s < n / 16 / sixteens_a_scale; ++s) {
    auto sums = hn::Zero(d);
    for (std::size_t i = s * sixteens_a_scale; i < (s + 1) * sixteens_a_scale; ++i)
      sums = add_sixteen(table, codes + 8 * i, a + 16 * i, sums);
    total = hn::MulAdd(sums, hn::Set(d, scales[s]), total);
  }
  return hn::GetLane(hn::SumOfLanes(d, total));
}

}  // namespace ridge::experiments::ch09_w4a16_gemm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch09_w4a16_gemm {
HWY_EXPORT(dot_wide);
HWY_EXPORT(dot_codes);
namespace {

void stage_wide(workload& w, setup&) {
  for (std::size_t r = 0; r < w.rows; ++r)
    for (std::size_t t = 0; t < w.terms; ++t)
      w.own_wide.wide[r * w.terms + t] = bf16(as_float(weight_of(w, r, t)));
}

auto wide(workload& shape, setup& s) {
  shape.own_wide.wide = s.workspace<bf16>(shape.rows * shape.terms);
  return [a = s.workspace<float>(shape.a.size())](workload& w, call&) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = w.a[i];
    for (std::size_t i = 0; i < w.c.size(); ++i) {
      const auto token = i / w.rows, row = i % w.rows;
      w.c[i] =
          bf16(HWY_DYNAMIC_DISPATCH(dot_wide)(&w.own_wide.wide[row * w.terms], &a[token * w.terms], w.terms));
    }
  };
}

// What the codes of e2m1 stand for, twice as large, and those of int4.
constexpr std::int8_t twice_e2m1[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
constexpr std::int8_t whole[16] = {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7};

float scale_of(const workload& w, std::size_t i) {
  if (w.coding == format::nvfp4) return e4m3::from_bits(w.scales[i]) / 2;
  if (w.coding == format::mxfp4) return e8m0::from_bits(w.scales[i]) / 2;
  return bf16::from_bits(static_cast<std::uint16_t>(w.scales[2 * i] | w.scales[2 * i + 1] << 8));
}

void part_even_and_odd(const workload& w, std::span<float> a) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i / 16 * 16 + i % 2 * 8 + i % 16 / 2] = w.a[i];
}

// Rows `begin` to `end` for all tokens; `scales` is room for one row's.
void multiply_rows(workload& w, std::span<const float> a, std::span<float> scales, std::size_t begin,
                   std::size_t end) {
  const auto* const table = w.coding == format::int4 ? whole : twice_e2m1;
  const auto each = terms_a_scale(w.coding);
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = scale_of(w, row * scales.size() + i);
    for (std::size_t token = 0; token < w.tokens; ++token)
      w.c[token * w.rows + row] = bf16(HWY_DYNAMIC_DISPATCH(dot_codes)(
          table, &w.codes[row * w.terms / 2], &a[token * w.terms], scales.data(), each / 16, w.terms));
  }
}

auto four_bits(workload& shape, setup& s) {
  return [a = s.workspace<float>(shape.a.size()),
          scales = s.workspace<float>(shape.terms / terms_a_scale(shape.coding))](workload& w, call&) {
    part_even_and_odd(w, a);
    multiply_rows(w, a, scales, 0, w.rows);
  };
}

auto every_core(workload& shape, setup& s) {
  const auto ranks = as_count(s.threads()), each = shape.terms / terms_a_scale(shape.coding);
  return [a = s.workspace<float>(shape.a.size()), scales = s.workspace<float>(ranks * each), ranks, each](
             workload& w, call& c) {
    part_even_and_odd(w, a);
    c.team().run([&](int rank, int) {
      const auto r = as_count(rank);
      multiply_rows(w, a, scales.subspan(r * each, each), w.rows * r / ranks, w.rows * (r + 1) / ranks);
    });
  };
}

constexpr auto in_fp32 = "operands are stored in narrow types; products and sums are fp32";

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "bf16",
       .is = role::baseline,
       .idea = "weights in bf16: two bytes read for each",
       .run = wide,
       .stage = stage_wide,
       .stage_reason = constants,
       .within = of_rounded_weights,
       .tolerance_reason = rounded,
       .explanation = in_fp32},
      {.name = "four_bits",
       .idea = "codes are looked up in a table of sixteen bytes; a scale is applied to the sum of its terms",
       .run = four_bits,
       .explanation = in_fp32},
      {.name = "all_cores",
       .idea = "the same, rows shared among the cores",
       .run = every_core,
       .explanation = in_fp32,
       .threads = all_cores},
  };
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
#endif
