// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <ridge/base/element.hpp>
#include <ridge/harness/experiment.hpp>

#include "nvfp4_quantize.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch09_nvfp4_quantize::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Codes of one whole block into 16 bytes, by a table of the halfway points: a code is the number of them
// that the magnitude has passed. Those before an even code are passed by equality, too.
void block_codes(const float* x, float factor, std::uint8_t* codes) {
  static constexpr float halfway[7] = {0.25F, 0.75F, 1.25F, 1.75F, 2.5F, 3.5F, 5.0F};
  const hn::CappedTag<float, block> d;
  const hn::Rebind<std::int32_t, decltype(d)> di;
  const hn::Rebind<std::uint8_t, decltype(d)> db;
  const auto one = hn::Set(di, 1);
  for (std::size_t i = 0; i < block; i += hn::Lanes(d)) {
    const auto v = hn::Mul(hn::LoadU(d, x + i), hn::Set(d, factor));
    const auto magnitude = hn::Abs(v);
    auto code = hn::ShiftLeft<3>(
        hn::BitCast(di, hn::ShiftRight<31>(hn::BitCast(hn::RebindToUnsigned<decltype(d)>(), v))));
    for (std::size_t t = 0; t < 7; ++t) {
      const auto point = hn::Set(d, halfway[t]);
      const auto passed = t % 2 == 0 ? hn::Gt(magnitude, point) : hn::Ge(magnitude, point);
      code = hn::Add(code, hn::IfThenElseZero(hn::RebindMask(di, passed), one));
    }
    hn::StoreU(hn::DemoteTo(db, code), db, codes + i);
  }
}

float largest_of(const float* x) {
  const hn::CappedTag<float, block> d;
  auto largest = hn::Zero(d);
  for (std::size_t i = 0; i < block; i += hn::Lanes(d))
    largest = hn::Max(largest, hn::Abs(hn::LoadU(d, x + i)));
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

// Quantizes `blocks` whole blocks.
void quantize(const bf16* source, std::uint8_t* codes, e4m3* scales, std::size_t blocks) {
  for (std::size_t b = 0; b < blocks; ++b) {
    float x[block];
    for (std::size_t i = 0; i < block; ++i)
      x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(source[b * block + i].bits) << 16);
    const e4m3 scale(largest_of(x) * largest_to_scale);
    scales[b] = scale;
    std::uint8_t single[block];
    block_codes(x, scale.bits == 0 ? 0 : steps_of_tensor / float{scale}, single);
    for (std::size_t i = 0; i < block; i += 2)
      codes[(b * block + i) / 2] = static_cast<std::uint8_t>(single[i] | single[i + 1] << 4);
  }
}

}  // namespace ridge::experiments::ch09_nvfp4_quantize::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch09_nvfp4_quantize {
HWY_EXPORT(quantize);
namespace {

// The block that begins at element `begin`, by the exact conversions of ridge/base/element.hpp.
void quantize_block(workload& w, std::size_t begin) {
  const auto end = std::min(begin + block, w.source.size());
  float largest = 0;
  for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::fabs(float{w.source[i]}));
  const e4m3 scale(largest * largest_to_scale);
  w.scales[begin / block] = scale;
  const float factor = scale.bits == 0 ? 0 : steps_of_tensor / float{scale};
  const auto code = [&](std::size_t i) -> unsigned {
    return i < end ? e2m1(float{w.source[i]} * factor).bits : 0U;
  };
  for (std::size_t i = begin; i < end; i += 2)
    w.codes[i / 2] = static_cast<std::uint8_t>(code(i) | code(i + 1) << 4);
}

void scalar(workload& w) {
  for (std::size_t i = 0; i < w.source.size(); i += block) quantize_block(w, i);
}

void simd(workload& w, call&) {
  const auto whole = w.source.size() / block;
  HWY_DYNAMIC_DISPATCH(quantize)(w.source.data(), w.codes.data(), w.scales.data(), whole);
  if (whole * block < w.source.size()) quantize_block(w, whole * block);
}

// Multiples of a quarter of a power of two, a different one for each block: every code of e2m1 and every case
// halfway between two of them, with both signs. 6 is in each block, so that its scale is that power.
distribution halfway_cases() {
  return filled_by{[](std::span<std::byte> bytes, std::uint64_t key) {
    for (std::size_t i = 0; i < bytes.size() / sizeof(bf16); ++i) {
      const auto b = i / block + key, lane = i % block;
      const float quarters = lane == 0 ? 24 : static_cast<float>((7 * lane + b) % 25);
      const float sign = (lane + b / 25) % 2 == 0 ? 1.0F : -1.0F;
      const bf16 x(sign * quarters * std::ldexp(0.25F, -static_cast<int>(b % 12)));
      std::memcpy(bytes.data() + i * sizeof x, &x, sizeof x);
    }
  }};
}

ladder<workload> cpu() {
  return {
      {.name = "scalar",
       .is = role::baseline,
       .idea = "an element at a time, each rounded in integer arithmetic",
       .run = [](workload& w, call&) { scalar(w); },
       .explanation = "elements are scaled and compared in fp32; only what is stored is narrow"},
      {.name = "simd",
       .idea = "a block at a time against a table of the halfway points",
       .run = simd,
       .explanation = "sixteen elements are converted by seven comparisons together, each one by some forty "
                      "operations before"},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.nvfp4_quantize",
      .title = "Quantization to NVFP4 without FP4 instructions",
      .question = "How exact and fast is NVFP4 quantization without FP4 hardware?",
      .answers = {"B9.3"},
      .tags = {"quantization", "fp4", "memory"},
      .axes = {choice("values", {"normal", "halfway"}),
               on_cuda(values("elements", {1 << 21}, {0, 1, 15, 16, 17, 4097, 100'001}), {1 << 26})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{
                m.in<bf16>(n, p.text("values") == "normal" ? distribution{normal{}} : halfway_cases()),
                m.out<std::uint8_t>((n + 1) / 2), m.out<e4m3>((n + block - 1) / block)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<bf16>(n), writes<std::uint8_t>((n + 1) / 2) +
                                                       writes<std::uint8_t>((n + block - 1) / block));
          },
      .oracle = scalar,
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch09_nvfp4_quantize
#endif
