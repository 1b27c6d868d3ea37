// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "ilp_fma.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch08_ilp_fma::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using floats = hn::ScalableTag<float>;

// Carries as many vectors as it is given and `More` that it loads through all steps side by side. Parameters,
// because vectors whose size the compiler does not know cannot be elements of an array.
template <std::size_t More, class... Vectors>
HWY_INLINE void carry_side_by_side(const float* x, float* y, Vectors... v) {
  const floats d;
  if constexpr (More > 0) {
    carry_side_by_side<More - 1>(x + hn::Lanes(d), y, v..., hn::LoadU(d, x));
  } else {
    const auto a = hn::Set(d, scale), b = hn::Set(d, shift);
    for (unsigned s = 0; s < steps; ++s) ((v = hn::MulAdd(v, a, b)), ...);
    (hn::StoreU(v, d, std::exchange(y, y + hn::Lanes(d))), ...);
  }
}

template <std::size_t Chains>
void carry(std::span<const float> source, std::span<float> target) {
  const std::size_t width = Chains * hn::Lanes(floats()), n = source.size();
  std::size_t i = 0;
  for (; i + width <= n; i += width) carry_side_by_side<Chains>(source.data() + i, target.data() + i);
  if constexpr (Chains > 1) {
    carry<1>(source.subspan(i), target.subspan(i));
  } else if (i < n) {
    HWY_ALIGN std::array<float, hn::MaxLanes(floats())> rest{};
    std::ranges::copy(source.subspan(i), rest.begin());
    carry_side_by_side<1>(rest.data(), rest.data());
    std::ranges::copy(std::span(rest).first(n - i), target.subspan(i).begin());
  }
}

void carry_1(std::span<const float> source, std::span<float> target) { carry<1>(source, target); }
void carry_2(std::span<const float> source, std::span<float> target) { carry<2>(source, target); }
void carry_4(std::span<const float> source, std::span<float> target) { carry<4>(source, target); }
void carry_8(std::span<const float> source, std::span<float> target) { carry<8>(source, target); }
void carry_12(std::span<const float> source, std::span<float> target) { carry<12>(source, target); }

}  // namespace ridge::experiments::ch08_ilp_fma::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch08_ilp_fma {
HWY_EXPORT(carry_1);
HWY_EXPORT(carry_2);
HWY_EXPORT(carry_4);
HWY_EXPORT(carry_8);
HWY_EXPORT(carry_12);
namespace {

void one_chain(workload& w, call&) { HWY_DYNAMIC_DISPATCH(carry_1)(w.source, w.target); }
void two_chains(workload& w, call&) { HWY_DYNAMIC_DISPATCH(carry_2)(w.source, w.target); }
void four_chains(workload& w, call&) { HWY_DYNAMIC_DISPATCH(carry_4)(w.source, w.target); }
void eight_chains(workload& w, call&) { HWY_DYNAMIC_DISPATCH(carry_8)(w.source, w.target); }
void twelve_chains(workload& w, call&) { HWY_DYNAMIC_DISPATCH(carry_12)(w.source, w.target); }
void all_cores_chains(workload& w, call& c) {
  c.team().parallel_for(w.source.size(), [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(carry_12)
    (w.source.subspan(begin, end - begin), w.target.subspan(begin, end - begin));
  });
}

double expected(const workload& w, std::size_t index) {
  double v = w.source[index];
  for (unsigned s = 0; s < steps; ++s) v = v * double{scale} + double{shift};
  return v;
}

ladder<workload> cpu() {
  return {
      {.name = "one_chain",
       .is = role::baseline,
       .idea = "one vector after another: each multiply-add waits for the one before",
       .run = one_chain},
      {.name = "two_chains", .idea = "two vectors side by side", .run = two_chains},
      {.name = "four_chains", .idea = "four vectors side by side", .run = four_chains},
      {.name = "eight_chains", .idea = "eight vectors: two a cycle, four cycles long", .run = eight_chains},
      {.name = "twelve_chains", .idea = "twelve vectors: more than can be on the way", .run = twelve_chains},
      {.name = "all_cores",
       .idea = "the same by every core",
       .run = all_cores_chains,
       .explanation = "twelve chains instead of one, on every core instead of one",
       .threads = all_cores},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch08.ilp_fma",
      .title = "Independent chains of multiply-adds",
      .question = "How many independent chains saturate the FMA pipes?",
      .answers = {"independent_ops.cu", "ilp_pytorch.py", "K8.3", "B8.5"},
      .tags = {"compute", "ilp", "occupancy"},
      .axes = {on_cuda(values("elements", {1 << 14}, {0, 1, 15, 16, 17, 191, 193, 4099}), {1 << 24})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n))
                .with_flop(2.0 * steps * p.real("elements"));
          },
      .oracle = each_element(&workload::target, expected),
      .element = expected,
      .within = tolerance{.abs = steps * 0x1p-25},  // each step rounds a value near one half
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch08_ilp_fma
#endif
