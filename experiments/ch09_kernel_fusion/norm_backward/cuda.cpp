// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <ridge/base/element.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/cudnn_norm.hpp>

#include "norm_backward.hpp"

namespace ridge::experiments::ch09_norm_backward {
namespace {

auto persistent(workload& shape, setup& s) {
  return [partials = s.workspace<float>(persistent_partials(shape))](workload& w, call& c) {
    launch_persistent(w, partials, c.queue());
  };
}

auto cudnn(workload& w, setup& s) {
  std::unique_ptr<vendor::cudnn_norm> norm;
  if (!w.dx.empty()) {
    norm = std::make_unique<vendor::cudnn_norm>(
        vendor::normalized_rows{w.layer ? vendor::norm::layer : vendor::norm::rms, w.rows, w.columns},
        vendor::norm_backward{w.x.data(), w.dy.data(), w.weight.data(), w.mean.data(), w.inverse.data(),
                              w.dx.data(), w.dweight.data(), w.dbias.data()},
        s.queue());
    norm->choose(s.workspace<std::byte>(norm->workspace_bytes()).data());
  }
  return [norm = std::move(norm)](workload& each, call& c) {
    if (norm) return norm->enqueue();
    for (const auto sums : {each.dweight, each.dbias})
      if (!sums.empty())
        gpu::check(cudaMemsetAsync(sums.data(), 0, sums.size_bytes(), c.queue()), "cudaMemsetAsync");
  };
}

double two_passes(const problem& p) { return p.real("rows") * p.real("columns") * 2 * 5; }

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "two_kernels",
       .is = role::baseline,
       .idea = "a kernel by rows for dx, one by columns for the parameters, which reads everything again",
       .run = enqueues(launch_two),
       .traffic = two_passes},
      {.name = "persistent",
       .idea = "blocks stay, keep their columns' sums in registers and have the next rows copied to them",
       .run = persistent,
       .needs = {.compute_capability = {9, 0}}},
      {.name = "cudnn",
       .is = role::comparator,
       .idea = "cuDNN's backward norm, the fastest of its plans",
       .run = cudnn,
       .needs = {.library = "cudnn"}},
  };
}

}  // namespace ridge::experiments::ch09_norm_backward
