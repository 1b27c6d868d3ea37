// SPDX-License-Identifier: Apache-2.0
#include "batch_size_sweep.hpp"

#include <memory>

#include "device_step.cuh"

namespace ridge::experiments::ch01_batch_size_sweep {
namespace {

ch01_mlp::device_batch batch_of(const workload& w) {
  return {w.features.data(), w.labels.data(), w.labels.size()};
}

ch01_mlp::device_memory memory_of(const workload& w, float* scratch) {
  return {.parameters = w.parameters.data(), .updated = w.updated.data(), .scratch = scratch};
}

auto plain(workload& shape, setup& s) {
  const auto floats = ch01_mlp::plain_device_floats(shape.model, shape.labels.size());
  return [scratch = s.workspace<float>(floats)](workload& w, call& c) {
    ch01_mlp::plain_device_step(w.model, batch_of(w), rate, memory_of(w, scratch.data()), c.queue());
  };
}

auto fused(workload& shape, setup& s) {
  const auto floats = ch01_mlp::fused_device_floats(shape.model, shape.labels.size());
  return [scratch = s.workspace<float>(floats)](workload& w, call& c) {
    ch01_mlp::fused_device_step(w.model, batch_of(w), rate, memory_of(w, scratch.data()), c.queue());
  };
}

auto cublaslt(workload& w, setup& s) {
  const auto scratch = s.workspace<float>(ch01_mlp::vendor_device_step::floats(w.model, w.labels.size()));
  auto step = std::make_unique<ch01_mlp::vendor_device_step>(
      w.model, batch_of(w), rate, memory_of(w, scratch.data()),
      s.workspace<std::byte>(ch01_matmul::workspace_bytes).data(), s.queue());
  return [step = std::move(step)](workload&, call& c) { (*step)(c.queue()); };
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "plain",
       .is = role::baseline,
       .idea = "one kernel an operation: 13 launches, every result through memory",
       .run = plain},
      {.name = "fused",
       .idea = "5 launches: epilogues, one pass from logits to errors, gradients over parts of the batch",
       .run = fused},
      {.name = "cublaslt",
       .is = role::comparator,
       .idea = "the vendor's products with bias, activation and update in their epilogues: 9 launches",
       .run = cublaslt},
  };
}

}  // namespace ridge::experiments::ch01_batch_size_sweep
