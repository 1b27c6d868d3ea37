// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>
#include <ridge/workloads/product_problem.hpp>

#include "tcgen05_gemm.hpp"

namespace ridge::experiments::ch10_tcgen05_gemm {
namespace {

workloads::product_extents extents_of(const problem& p) {
  return {p.count("size"), p.count("size"), p.count("size")};
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.tcgen05_gemm",
      .title = "A product on tcgen05, compiled and not run",
      .question = "Does the Blackwell GEMM assemble as designed?",
      .answers = {"tcgen05_blackwell.cu", "blackwell_kernel_validation.py", "K2.2", "K10.1"},
      .tags = {"gemm", "tensor-cores", "blackwell", "compile-only"},
      .axes = {on_cuda(values("size", {256}, {0, 1, 65, 136, 520}), {8192})},
      .make = [](const problem& p, memory& m) { return workloads::make_product<bf16>(extents_of(p), m); },
      .work = [](const problem& p) { return workloads::work_of<bf16>(extents_of(p)); },
      .oracle = each_element(&workload::c, workloads::exact_element<bf16>),
      .element = workloads::exact_element<bf16>,
      .within = [](const problem& p) { return workloads::rounded_sums(extents_of(p).k); },
      .informational = true,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_tcgen05_gemm
