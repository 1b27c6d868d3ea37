// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <ridge/harness/experiment.hpp>

#include "gemm_epilogue_fusion.hpp"

namespace ridge::experiments::ch09_gemm_epilogue_fusion {
namespace {

double gelu(double x) {
  constexpr double slope = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return 0.5 * x * (1 + std::tanh(slope * (x + 0.044715 * x * x * x)));
}

double element(const workload& w, std::size_t index) {
  const auto n = as_count(w.n), k = as_count(w.k), pitch = as_count(w.pitch);
  const auto a = w.a.subspan(index / n * pitch, k), b = w.b.subspan(index % n * pitch, k);
  double sum = double{float{w.bias[index % n]}};
  for (std::size_t p = 0; p < k; ++p) sum += double{float{a[p]}} * double{float{b[p]}};
  return gelu(sum);
}

void oracle(workload& w) {
  float most = 0;
  for (std::size_t i = 0; i < w.c.size(); ++i) {
    w.c[i] = bf16(as_float(element(w, i)));
    most = std::max(most, std::fabs(float{w.c[i]}));
  }
  if (!w.largest.empty()) w.largest[0] = most;
}

std::size_t pitch_of(std::size_t k) { return (k + 7) / 8 * 8; }

bool asks_for_largest(const problem& p) { return p.text("epilogue") == "bias_gelu_amax"; }

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.gemm_epilogue_fusion",
      .title = "Bias, GELU and the largest magnitude in a product's epilogue",
      .question = "What do bias, GELU and amax cost outside the GEMM?",
      .answers = {"K9.1", "B9.2"},
      .tags = {"gemm", "tensor-cores", "fusion"},
      .axes = {on_cuda(values("size", {2048}, {0, 1, 65, 129, 136, 264}), {8192}),
               on_cuda(values("terms", {128}, {0, 1, 65, 200}), {4096}),
               choice("epilogue", {"bias_gelu_amax", "bias_gelu"})},
      .make =
          [](const problem& p, memory& m) {
            const auto size = p.count("size"), k = p.count("terms"), pitch = pitch_of(k);
            // Sums of unit variance: the unit is neither linear nor zero for most of them.
            const normal weights{0, 1 / std::sqrt(std::max(1.0, p.real("terms")))};
            return workload{.m = p.integer("size"),
                            .n = p.integer("size"),
                            .k = as_integer(k),
                            .pitch = as_integer(pitch),
                            .a = m.in<bf16>(product(size, pitch), normal{}),
                            .b = m.in<bf16>(product(size, pitch), weights),
                            .bias = m.in<bf16>(size, normal{}),
                            .c = m.out<bf16>(product(size, size)),
                            .largest = m.out<float>(asks_for_largest(p) ? 1 : 0)};
          },
      .work =
          [](const problem& p) {
            const auto size = p.count("size");
            return work::streaming(reads<bf16>(2, size, pitch_of(p.count("terms"))) + reads<bf16>(size),
                                   writes<bf16>(size, size))
                .with_flop(2 * p.real("size") * p.real("size") * p.real("terms"));
          },
      .oracle = oracle,
      .element = element,
      // The product of three kernels is rounded to bf16 before bias and unit, which is an error of 2^-9 of up
      // to four; the instruction's tangent is right to 2^-11.
      .within = tolerance{.abs = 0x1p-6, .rel = 0x1p-7},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch09_gemm_epilogue_fusion
