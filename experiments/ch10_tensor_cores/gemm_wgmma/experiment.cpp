// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include <ridge/harness/experiment.hpp>
#include <ridge/workloads/product_problem.hpp>

#include "gemm_wgmma.hpp"

namespace ridge::experiments::ch10_gemm_wgmma {
namespace {

// Rows begin at multiples of 16 bytes in e4m3, too.
constexpr std::size_t row_multiple = 16;

workloads::product_extents extents_of(const problem& p) {
  return {p.count("size"), p.count("size"), p.count("size")};
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.gemm_wgmma",
      .title = "A matrix product on tensor cores, step by step",
      .question = "How does a wgmma GEMM climb to cuBLASLt's speed?",
      .answers = {"tcgen05_blackwell.cu", "K9.4", "K10.2", "K10.5", "B9.4", "B10.1", "B10.2"},
      .tags = {"gemm", "tensor-cores", "pipelining", "clusters"},
      .axes = {on_cuda(values("size", {512, 256}, {0, 1, 17, 64, 65, 127, 136, 257}),
                       {8192, 6144, 4096, 2048})},
      .make =
          [](const problem& p, memory& m) {
            return workload{{workloads::make_product<bf16>(extents_of(p), m, row_multiple)}};
          },
      .work = [](const problem& p) { return workloads::work_of<bf16>(extents_of(p), row_multiple); },
      .oracle = each_element(&workload::c, workloads::exact_element<bf16>),
      .element = workloads::exact_element<bf16>,
      .within = [](const problem& p) { return workloads::rounded_sums(extents_of(p).k); },
      .metrics = {time_per_call(), relative_error()},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_gemm_wgmma
