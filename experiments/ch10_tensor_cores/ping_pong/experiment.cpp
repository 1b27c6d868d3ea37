// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>
#include <ridge/workloads/product_problem.hpp>

#include "ping_pong.hpp"

namespace ridge::experiments::ch10_ping_pong {
namespace {

workloads::product_extents extents_of(const problem& p) {
  return {p.count("size"), p.count("size"), p.count("terms")};
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.ping_pong",
      .title = "Consumers that take turns",
      .question = "Does alternating two consumers hide the epilogue?",
      .answers = {"B10.2"},
      .tags = {"gemm", "tensor-cores", "warp-specialization"},
      .axes = {on_cuda(values("size", {256}, {0, 1, 65, 129, 136, 264, 1600}), {8192}),
               on_cuda(values("terms", {256}, {0, 1, 65, 200, 1000}), {2048, 512, 8192})},
      .make = [](const problem& p, memory& m) { return workloads::make_product<bf16>(extents_of(p), m); },
      .work = [](const problem& p) { return workloads::work_of<bf16>(extents_of(p)); },
      .oracle = each_element(&workload::c, workloads::exact_element<bf16>),
      .element = workloads::exact_element<bf16>,
      .within = [](const problem& p) { return workloads::rounded_sums(extents_of(p).k); },
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_ping_pong
