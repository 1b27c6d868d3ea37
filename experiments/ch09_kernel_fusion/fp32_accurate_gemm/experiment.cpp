// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

#include <ridge/harness/experiment.hpp>
#include <ridge/workloads/product_problem.hpp>

#include "fp32_accurate_gemm.hpp"

namespace ridge::experiments::ch09_fp32_accurate_gemm {
namespace {

constexpr int spread = 20;

// Numbers whose exponents are spread evenly over 2^-20 to 2^20.
filled_by spread_numbers() {
  return {[](std::span<std::byte> bytes, std::uint64_t key) {
    std::mt19937_64 random(key);
    const std::span numbers(reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float));
    for (auto& x : numbers) {
      const auto bits = random();
      const double unit = static_cast<double>(bits >> 11) * 0x1p-52 - 1;  // [-1, 1)
      x = as_float(std::ldexp(unit, static_cast<int>(bits % (2 * spread + 1)) - spread));
    }
  }};
}

// Rows whose second half repeats the first, times `factor`: of factors 1 and -(1 - 1 / condition) the sums
// cancel.
filled_by repeated_halves(std::size_t columns, std::size_t pitch, double factor) {
  return {[=](std::span<std::byte> bytes, std::uint64_t key) {
    if (bytes.empty()) return;
    std::mt19937_64 random(key);
    const std::span numbers(reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float));
    for (std::size_t row = 0; row + pitch <= numbers.size(); row += pitch) {
      for (std::size_t i = 0; i < pitch; ++i) {
        const std::size_t half = columns / 2;
        numbers[row + i] = i >= half && i < 2 * half
                               ? as_float(factor * double{numbers[row + i - half]})
                               : as_float(static_cast<double>(random() >> 11) * 0x1p-52 - 1);
      }
    }
  }};
}

distribution numbers_of(const problem& p, std::size_t pitch, bool second) {
  const auto& kind = p.text("values");
  if (kind == "exponents_2^20") return spread_numbers();
  if (kind == "normal") return normal{};
  const double condition = kind == "condition_1e3" ? 1e3 : 1e4;
  return repeated_halves(p.count("size"), pitch, second ? -(1 - 1 / condition) : 1);
}

workloads::product_extents extents_of(const problem& p) {
  return {p.count("size"), p.count("size"), p.count("size")};
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.fp32_accurate_gemm",
      .title = "Products with the accuracy of fp32 on tensor cores",
      .question = "Can tensor cores give fp32 accuracy faster than SGEMM?",
      .answers = {"B9.3"},
      .tags = {"gemm", "tensor-cores", "precision"},
      .axes = {on_cuda(values("size", {256}, {0, 1, 65, 129, 200}), {8192, 1024}),
               choice("values", {"normal", "exponents_2^20", "condition_1e3", "condition_1e4"})},
      // What is filled on the host takes too long for large operands.
      .skip = [](const problem& p) { return p.text("values") != "normal" && p.count("size") > 1024; },
      .make =
          [](const problem& p, memory& m) {
            auto w = workloads::without_arrays<float>(extents_of(p));
            const auto size = p.count("size"), pitch = as_count(w.pitch);
            w.a = m.in<float>(product(size, pitch), numbers_of(p, pitch, false));
            w.b = m.in<float>(product(size, pitch), numbers_of(p, pitch, true));
            w.c = m.out<float>(product(size, size));
            return w;
          },
      .work = [](const problem& p) { return workloads::work_of<float>(extents_of(p)); },
      .oracle = each_element(&workload::c, workloads::exact_element<float>),
      .element = workloads::exact_element<float>,
      // That of fp32 sums of products of numbers about 1, or about 2^17 where exponents are spread.
      .within =
          [](const problem& p) {
            const bool spread_out = p.text("values") == "exponents_2^20";
            return accumulation(p.real("size"), 0x1p-24, spread_out ? 0x1p34 : 1);
          },
      .metrics = {time_per_call(), relative_error(), relative_rms_error()},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch09_fp32_accurate_gemm
