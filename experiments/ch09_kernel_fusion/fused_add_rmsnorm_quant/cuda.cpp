// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <ridge/base/element.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/cudnn_norm.hpp>

#include "fused_add_rmsnorm_quant.hpp"

namespace ridge::experiments::ch09_fused_add_rmsnorm_quant {
namespace {

auto three_kernels(workload& shape, setup& s) {
  return [normalized = s.workspace<bf16>(shape.sum.size())](workload& w, call& c) {
    launch_three(w, normalized, c.queue());
  };
}

// cuDNN's norm takes weights in fp32.
void stage_weights(workload& w, setup& s) { launch_widen(w, w.wide_weight, s.queue()); }

auto cudnn(workload& shape, setup& s) {
  shape.wide_weight = s.workspace<float>(shape.columns);
  const auto normalized = s.workspace<bf16>(shape.sum.size());
  std::unique_ptr<vendor::cudnn_norm> norm;
  if (!shape.sum.empty()) {
    norm = std::make_unique<vendor::cudnn_norm>(
        vendor::normalized_rows{vendor::norm::rms, shape.rows, shape.columns},
        vendor::norm_forward{shape.sum.data(), shape.wide_weight.data(), normalized.data(), epsilon},
        s.queue());
    norm->choose(s.workspace<std::byte>(norm->workspace_bytes()).data());
  }
  return [norm = std::move(norm), normalized](workload& w, call& c) {
    launch_add(w, c.queue());
    if (norm) norm->enqueue();
    launch_quantize(w, normalized, c.queue());
  };
}

// A pass over bf16 arrays moves two bytes an element, one over e4m3 one byte: three passes for the sum, two
// for the norm and its second read where a row has left the caches, and those of the quantization.
double three_passes(const problem& p) { return p.real("rows") * p.real("columns") * (6 + 4 + 3); }

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "three_kernels",
       .is = role::baseline,
       .idea = "the sum, the norm and the quantization pass rows through memory",
       .run = three_kernels,
       .traffic = three_passes},
      {.name = "one_kernel",
       .idea = "a block does all three to a row; its second sweep reads the sum from the caches",
       .run = enqueues(launch_fused)},
      {.name = "resident",
       .idea = "the row stays in the registers of 1024 threads; one barrier a row",
       .run = enqueues(launch_resident)},
      {.name = "cudnn",
       .is = role::comparator,
       .idea = "cuDNN's RMS norm, the fastest of its plans, between our sum and our quantization",
       .run = cudnn,
       .needs = {.library = "cudnn"},
       .stage = stage_weights,
       .stage_reason = "weights are constants of a model",
       .traffic = three_passes},
  };
}

}  // namespace ridge::experiments::ch09_fused_add_rmsnorm_quant
