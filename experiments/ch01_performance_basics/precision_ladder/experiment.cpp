// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include <ridge/harness/experiment.hpp>

#include "precision_ladder.hpp"

namespace ridge::experiments::ch01_precision_ladder {
namespace {

double element(const workload& w, std::size_t index) {
  const auto n = as_count(w.n), k = as_count(w.k);
  const auto a = w.a.subspan(index / n * k, k), b = w.b.subspan(index % n * k, k);
  double sum = 0;
  for (std::size_t p = 0; p < k; ++p) sum += double{a[p]} * double{b[p]};
  return sum;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.precision_ladder",
      .title = "One product in fp32, bf16 and int8",
      .question = "What speed does each narrower type buy, at what error?",
      .answers = {"K13.1", "B9.3"},
      .tags = {"precision", "quantization", "compute"},
      .axes = {on_cuda(values("rows", {64, 1, 512}, {0, 1, 5}), {4096, 128}),
               on_cuda(values("size", {1024, 256}, {0, 1, 17, 67, 130}), {4096, 2048})},
      .make =
          [](const problem& p, memory& m) {
            const auto rows = p.count("rows"), size = p.count("size");
            return workload{p.integer("rows"),
                            p.integer("size"),
                            p.integer("size"),
                            m.in<float>(product(rows, size), normal{}),
                            m.in<float>(product(size, size), normal{}),
                            m.out<float>(product(rows, size))};
          },
      .work =
          [](const problem& p) {
            const auto rows = p.count("rows"), size = p.count("size");
            return work::streaming(reads<float>(rows, size) + reads<float>(size, size),
                                   writes<float>(rows, size))
                .with_flop(2 * p.real("rows") * p.real("size") * p.real("size"))
                .with_items(p.real("rows"));
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

}  // namespace ridge::experiments::ch01_precision_ladder
