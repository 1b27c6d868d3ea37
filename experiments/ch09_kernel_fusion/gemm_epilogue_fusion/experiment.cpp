// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <ridge/harness/experiment.hpp>
#include <ridge/workloads/product_problem.hpp>

#include "gemm_epilogue_fusion.hpp"

namespace ridge::experiments::ch09_gemm_epilogue_fusion {
namespace {

double gelu(double x) {
  constexpr double slope = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return 0.5 * x * (1 + std::tanh(slope * (x + 0.044715 * x * x * x)));
}

double element(const workload& w, std::size_t index) {
  return gelu(double{float{w.bias[index % as_count(w.n)]}} + workloads::exact_element<bf16>(w, index));
}

void oracle(workload& w) {
  float most = 0;
  for (std::size_t i = 0; i < w.c.size(); ++i) {
    w.c[i] = bf16(as_float(element(w, i)));
    most = std::max(most, std::fabs(float{w.c[i]}));
  }
  if (!w.largest.empty()) w.largest[0] = most;
}

workloads::product_extents extents_of(const problem& p) {
  return {p.count("size"), p.count("size"), p.count("terms")};
}

bool asks_for_largest(const problem& p) { return p.text("epilogue") == "bias_gelu_amax"; }

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.gemm_epilogue_fusion",
      .title = "Bias, GELU and the largest magnitude in a product's epilogue",
      .question = "What do bias, GELU and amax cost outside the GEMM?",
      .answers = {"K9.1", "B9.2"},
      .tags = {"gemm", "tensor-cores", "fusion"},
      .axes = {on_cuda(values("size", {2048}, {0, 1, 65, 129, 136, 264, 1600}), {8192}),
               on_cuda(values("terms", {128}, {0, 1, 65, 200, 1000}), {4096}),
               choice("epilogue", {"bias_gelu_amax", "bias_gelu"})},
      .make =
          [](const problem& p, memory& m) {
            workload w{workloads::without_arrays<bf16>(extents_of(p))};
            const auto size = p.count("size"), pitch = as_count(w.pitch);
            // Sums of unit variance: the unit is neither linear nor zero for most of them.
            const normal weights{0, 1 / std::sqrt(std::max(1.0, p.real("terms")))};
            w.a = m.in<bf16>(product(size, pitch), normal{});
            w.b = m.in<bf16>(product(size, pitch), weights);
            w.bias = m.in<bf16>(size, normal{});
            w.c = m.out<bf16>(product(size, size));
            w.largest = m.out<float>(asks_for_largest(p) ? 1 : 0);
            return w;
          },
      .work =
          [](const problem& p) {
            auto all = workloads::work_of<bf16>(extents_of(p));
            all.bytes_read += reads<bf16>(p.count("size")).value;  // the bias
            return all;
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
