// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <span>

#include <ridge/harness/experiment.hpp>

#include "fused_l2norm.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch09_fused_l2norm::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void lengths(std::span<const float> x, std::span<const float> y, std::span<float> target) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), n = x.size();
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto a = hn::LoadU(d, x.data() + i), b = hn::LoadU(d, y.data() + i);
    hn::StoreU(hn::Sqrt(hn::MulAdd(a, a, hn::Mul(b, b))), d, target.data() + i);
  }
  for (; i < n; ++i) target[i] = std::sqrt(x[i] * x[i] + y[i] * y[i]);
}

}  // namespace ridge::experiments::ch09_fused_l2norm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch09_fused_l2norm {
HWY_EXPORT(lengths);
namespace {

auto four_passes(workload& shape, setup& s) {
  const auto n = shape.x.size();
  return [xx = s.workspace<float>(n), yy = s.workspace<float>(n), n](workload& w, call&) {
    for (std::size_t i = 0; i < n; ++i) xx[i] = w.x[i] * w.x[i];
    for (std::size_t i = 0; i < n; ++i) yy[i] = w.y[i] * w.y[i];
    for (std::size_t i = 0; i < n; ++i) xx[i] += yy[i];
    for (std::size_t i = 0; i < n; ++i) w.length[i] = std::sqrt(xx[i]);
  };
}

void one_pass(workload& w, call&) {
  for (std::size_t i = 0; i < w.x.size(); ++i) w.length[i] = std::sqrt(w.x[i] * w.x[i] + w.y[i] * w.y[i]);
}

void simd(workload& w, call&) { HWY_DYNAMIC_DISPATCH(lengths)(w.x, w.y, w.length); }

// A stored line is read first: two arrays for each square, three for the sums (in place), two for the roots.
double four_passes_traffic(const problem& p) { return p.real("elements") * 4 * (3 + 3 + 3 + 3); }
double one_pass_traffic(const problem& p) { return p.real("elements") * 4 * 4; }

ladder<workload> cpu() {
  return {
      {.name = "four_passes",
       .is = role::baseline,
       .idea = "a loop over whole arrays for each step",
       .run = four_passes,
       .traffic = four_passes_traffic},
      {.name = "one_pass",
       .idea = "one loop: nothing is stored but the result",
       .run = one_pass,
       .traffic = one_pass_traffic},
      {.name = "simd",
       .idea = "the same by vectors of the processor's width",
       .run = simd,
       .traffic = one_pass_traffic},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.fused_l2norm",
      .title = "Four kernels or one for an elementwise norm",
      .question = "What does one kernel save over four for a norm?",
      .answers = {"fused_l2norm.cu", "fusion_pytorch.py", "K9.1", "K9.2", "B9.2"},
      .tags = {"fusion", "memory"},
      .axes = {on_cuda(values("elements", {1 << 22, 1 << 16}, {0, 1, 15, 16, 17, 4097}), {1 << 28, 1 << 20})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(2 * n), writes<float>(n)).with_flop(4 * p.real("elements"));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.x.size(); ++i)
              w.length[i] =
                  as_float(std::sqrt(double{w.x[i]} * double{w.x[i]} + double{w.y[i]} * double{w.y[i]}));
          },
      .within = tolerance{.abs = 0, .rel = 0x1p-22},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch09_fused_l2norm
#endif
