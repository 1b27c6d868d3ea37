// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include <ridge/harness/experiment.hpp>

#include "tcgen05_gemm.hpp"

namespace ridge::experiments::ch10_tcgen05_gemm {
namespace {

double element(const workload& w, std::size_t index) {
  const auto n = as_count(w.n), k = as_count(w.k), pitch = as_count(w.pitch);
  const auto a = w.a.subspan(index / n * pitch, k), b = w.b.subspan(index % n * pitch, k);
  double sum = 0;
  for (std::size_t p = 0; p < k; ++p) sum += double{float{a[p]}} * double{float{b[p]}};
  return sum;
}

std::size_t pitch_of(std::size_t k) { return (k + 7) / 8 * 8; }

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.tcgen05_gemm",
      .title = "A product on tcgen05, compiled and not run",
      .question = "Does the Blackwell GEMM assemble as designed?",
      .answers = {"tcgen05_blackwell.cu", "blackwell_kernel_validation.py", "K2.2", "K10.1"},
      .tags = {"gemm", "tensor-cores", "blackwell", "compile-only"},
      .axes = {on_cuda(values("size", {256}, {0, 1, 65, 136, 520}), {8192})},
      .make =
          [](const problem& p, memory& m) {
            const auto size = p.count("size"), k = p.count("size"), pitch = pitch_of(k);
            return workload{.m = p.integer("size"),
                            .n = p.integer("size"),
                            .k = as_integer(k),
                            .pitch = as_integer(pitch),
                            .a = m.in<bf16>(product(size, pitch), normal{}),
                            .b = m.in<bf16>(product(size, pitch), normal{}),
                            .c = m.out<bf16>(product(size, size))};
          },
      .work =
          [](const problem& p) {
            const auto size = p.count("size");
            return work::streaming(reads<bf16>(2, size, pitch_of(p.count("size"))), writes<bf16>(size, size))
                .with_flop(2 * p.real("size") * p.real("size") * p.real("size"));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.c.size(); ++i) w.c[i] = bf16(as_float(element(w, i)));
          },
      .element = element,
      // The sum in fp32, then a rounding to bf16, which may go to the next of its numbers.
      .within =
          [](const problem& p) {
            auto allowed = accumulation(p.real("size"), 0x1p-24);
            allowed.rel += 0x1p-7;
            return allowed;
          },
      .informational = true,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_tcgen05_gemm
