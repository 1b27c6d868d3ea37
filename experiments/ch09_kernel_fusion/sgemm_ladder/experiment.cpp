// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include <ridge/harness/experiment.hpp>

#include "sgemm_ladder.hpp"

namespace ridge::experiments::ch09_sgemm_ladder {
namespace {

double element(const workload& w, std::size_t index) {
  const auto n = as_count(w.n), k = as_count(w.k);
  double sum = 0;
  for (std::size_t t = 0; t < k; ++t) sum += double{w.a[index / n * k + t]} * double{w.b[t * n + index % n]};
  return sum;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.sgemm_ladder",
      .title = "A matrix product in fp32, tile by tile",
      .question = "What does each tiling level add to an SGEMM?",
      .answers = {"cutlass_gemm_example.cu", "B7.3", "B9.1"},
      .tags = {"gemm", "tiling", "compute"},
      .axes = {on_cuda(values("size", {512, 1024}, {0, 1, 17, 31, 32, 33, 64, 65, 127, 129, 132, 260}),
                       {4096, 2048, 1024})},
      .make =
          [](const problem& p, memory& m) {
            const auto size = p.count("size"), extent = product(size, size);
            return workload{p.integer("size"),
                            p.integer("size"),
                            p.integer("size"),
                            m.in<float>(extent, normal{}),
                            m.in<float>(extent, normal{}),
                            m.out<float>(extent)};
          },
      .work =
          [](const problem& p) {
            const auto size = p.count("size");
            return work::streaming(reads<float>(2, size, size), writes<float>(size, size))
                .with_flop(2 * p.real("size") * p.real("size") * p.real("size"));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.c.size(); ++i) w.c[i] = as_float(element(w, i));
          },
      .element = element,
      .within = [](const problem& p) { return accumulation(p.real("size"), 0x1p-24); },
      .metrics = {time_per_call(), relative_error()},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch09_sgemm_ladder
