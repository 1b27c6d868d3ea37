// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "arithmetic_intensity.hpp"

namespace ridge::experiments::ch01_arithmetic_intensity {
namespace {

double element(const workload& w, std::size_t i) {
  double x = w.source[i];
  for (const auto& f : chain) x = double{f.scale} * x + double{f.shift};
  return x;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.arithmetic_intensity",
      .title = "Four operations: passes, vectors, fusion",
      .question = "How far do unrolling, vector loads and fusion move intensity?",
      .answers = {"arithmetic_intensity_demo_sm100"},
      .tags = {"memory", "roofline", "fusion", "simd"},
      .axes = {on_cuda(
          values("elements", {1 << 24, 1 << 20, 1 << 12, 1 << 26}, {0, 1, 2, 15, 17, 64, 1001, 8200}),
          {1 << 26, 1 << 27, 1 << 20})},
      .make =
          [](const problem& p, memory& m) {
            return workload{m.in<float>(p.count("elements"), normal{}), m.out<float>(p.count("elements"))};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n)).with_flop(8 * p.real("elements"));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.target.size(); ++i) w.target[i] = static_cast<float>(element(w, i));
          },
      .element = element,
      // Eight roundings of values below 16.
      .within = tolerance{.abs = 8 * 16 * 0x1p-24},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_arithmetic_intensity
