// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>

#include <ridge/base/element.hpp>
#include <ridge/harness/experiment.hpp>

#include "inline_ptx.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch09_inline_ptx::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Unpacks whole groups of 16 bytes and returns their number. The high and the low bytes of the sixteen
// possible weights are two tables, which one instruction looks up for sixteen codes.
std::size_t unpack(const std::uint8_t* codes, std::uint16_t* weights, std::size_t bytes,
                   const std::uint8_t* tables) {
#if HWY_TARGET == HWY_SCALAR
  static_cast<void>(codes), static_cast<void>(weights), static_cast<void>(bytes), static_cast<void>(tables);
  return 0;
#else
  const hn::CappedTag<std::uint8_t, 16> d;
  const hn::Rebind<std::uint16_t, hn::Half<decltype(d)>> d16;
  const auto low_bytes = hn::LoadU(d, tables), high_bytes = hn::LoadU(d, tables + 16);
  const auto mask = hn::Set(d, std::uint8_t{15});
  const auto store = [&](auto code, std::uint16_t* target) {
    const auto low = hn::TableLookupBytes(low_bytes, code), high = hn::TableLookupBytes(high_bytes, code);
    hn::StoreU(hn::BitCast(d16, hn::InterleaveLower(d, low, high)), d16, target);
    hn::StoreU(hn::BitCast(d16, hn::InterleaveUpper(d, low, high)), d16, target + 8);
  };
  for (std::size_t i = 0; i < bytes / 16; ++i) {
    const auto both = hn::LoadU(d, codes + 16 * i);
    const auto even = hn::And(both, mask);
    const auto odd = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(d16, both))), mask);
    store(hn::InterleaveLower(d, even, odd), weights + 32 * i);
    store(hn::InterleaveUpper(d, even, odd), weights + 32 * i + 16);
  }
  return bytes / 16;
#endif
}

}  // namespace ridge::experiments::ch09_inline_ptx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch09_inline_ptx {
HWY_EXPORT(unpack);
namespace {

void plain(workload& w, std::size_t first) {
  for (std::size_t i = first; i < w.weights.size(); ++i)
    w.weights[i] = bf16(static_cast<float>((w.codes[i / 2] >> (4 * (i % 2)) & 15) - 8));
}

void intrinsics(workload& w, call&) {
  std::array<std::uint8_t, 32> tables;
  for (unsigned code = 0; code < 16; ++code) {
    const auto bits = bf16(static_cast<float>(code) - 8).bits;
    tables[code] = static_cast<std::uint8_t>(bits & 0xFF),
    tables[16 + code] = static_cast<std::uint8_t>(bits >> 8);
  }
  auto* const weights = reinterpret_cast<std::uint16_t*>(w.weights.data());
  plain(w, 32 * HWY_DYNAMIC_DISPATCH(unpack)(w.codes.data(), weights, w.weights.size() / 2, tables.data()));
}

ladder<workload> cpu() {
  return {
      {.name = "plain",
       .is = role::baseline,
       .idea = "C++: a code at a time",
       .run = [](workload& w, call&) { plain(w, 0); },
       .arithmetic = arithmetic::bf16},
      {.name = "intrinsics",
       .idea = "two table lookups for sixteen codes at once",
       .run = intrinsics,
       .explanation =
           "an instruction looks up sixteen codes; the baseline converts and rounds each by itself",
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.inline_ptx",
      .title = "Inline PTX against what the compiler emits",
      .question = "When does inline PTX beat what the compiler emits?",
      .answers = {"inline_ptx_example.cu", "K9.5", "B9.5"},
      .tags = {"instructions", "quantization", "memory"},
      .axes = {on_cuda(values("elements", {1 << 22}, {0, 1, 2, 31, 32, 33, 4097}), {1 << 22, 1 << 28})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<std::uint8_t>((n + 1) / 2, random_bits{}), m.out<bf16>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<std::uint8_t>((n + 1) / 2), writes<bf16>(n));
          },
      .oracle = [](workload& w) { plain(w, 0); },
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch09_inline_ptx
#endif
