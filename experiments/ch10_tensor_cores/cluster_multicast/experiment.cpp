// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>
#include <ridge/workloads/product_problem.hpp>

#include "cluster_multicast.hpp"

namespace ridge::experiments::ch10_cluster_multicast {
namespace {

workloads::product_extents extents_of(const problem& p) {
  return {p.count("size"), p.count("size"), p.count("size")};
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.cluster_multicast",
      .title = "One copy for several blocks",
      .question = "What does sharing a tile across a cluster save?",
      .answers = {"K10.3", "K14.6", "B10.4"},
      .tags = {"gemm", "tensor-cores", "clusters"},
      .axes = {values("stages", {4, 2, 3, 6}), on_cuda(values("size", {256}, {0, 1, 65, 136, 520}), {8192})},
      .make =
          [](const problem& p, memory& m) {
            return workload{{workloads::make_product<bf16>(extents_of(p), m)}, as_int(p.count("stages"))};
          },
      .work = [](const problem& p) { return workloads::work_of<bf16>(extents_of(p)); },
      .oracle = each_element(&workload::c, workloads::exact_element<bf16>),
      .element = workloads::exact_element<bf16>,
      .within = [](const problem& p) { return workloads::rounded_sums(extents_of(p).k); },
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_cluster_multicast
