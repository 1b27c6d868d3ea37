// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <ridge/harness/experiment.hpp>
#include <ridge/workloads/product_problem.hpp>

#include "stream_k.hpp"

namespace ridge::experiments::ch10_stream_k {
namespace {

workloads::product_extents extents_of(const problem& p) { return workloads::extents_of(p.text("shape")); }

axis shapes() {
  auto made = choice("shape", {"384x640x256", "192x320x512"});
  for (const auto* shape :
       {"1408x4224x8192", "2560x2560x10240", "1280x7168x4096", "3328x3328x8192", "4864x2304x6144"})
    made.cuda_values.emplace_back(std::string(shape));
  for (const auto* shape : {"0x8x8", "1x1x1", "3x17x0", "129x257x65", "300x520x136", "128x512x1000"})
    made.edges.emplace_back(std::string(shape));
  return made;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.stream_k",
      .title = "Products whose tiles do not fill the last round",
      .question = "How much does a ragged last wave waste?",
      .answers = {"B10.3"},
      .tags = {"gemm", "tensor-cores", "scheduling"},
      .axes = {shapes()},
      .make = [](const problem& p, memory& m) { return workloads::make_product<bf16>(extents_of(p), m); },
      .work = [](const problem& p) { return workloads::work_of<bf16>(extents_of(p)); },
      .oracle = each_element(&workload::c, workloads::exact_element<bf16>),
      .element = workloads::exact_element<bf16>,
      .within = [](const problem& p) { return workloads::rounded_sums(extents_of(p).k); },
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_stream_k
