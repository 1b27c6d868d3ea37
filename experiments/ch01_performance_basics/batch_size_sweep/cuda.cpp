// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <memory>
#include <utility>

#include <ridge/mlp/device_step.hpp>

#include "batch_size_sweep.hpp"

namespace ridge::experiments::ch01_batch_size_sweep {
namespace {

mlp::device_batch batch_of(const workload& w) {
  return {w.features.data(), w.labels.data(), w.labels.size()};
}

mlp::device_arrays memory_of(const workload& w, float* scratch) {
  return {.parameters = w.parameters.data(), .updated = w.updated.data(), .scratch = scratch};
}

auto plain(workload& shape, setup& s) {
  const auto floats = mlp::plain_device_floats(shape.model, shape.labels.size());
  return [scratch = s.workspace<float>(floats)](workload& w, call& c) {
    mlp::plain_device_step(w.model, batch_of(w), rate, memory_of(w, scratch.data()), c.queue());
  };
}

auto fused(workload& shape, setup& s) {
  const auto floats = mlp::fused_device_floats(shape.model, shape.labels.size());
  return [scratch = s.workspace<float>(floats)](workload& w, call& c) {
    mlp::fused_device_step(w.model, batch_of(w), rate, memory_of(w, scratch.data()), c.queue());
  };
}

auto cublaslt(workload& w, setup& s) {
  const auto scratch = s.workspace<float>(mlp::vendor_device_step::floats(w.model, w.labels.size()));
  auto step = std::make_unique<mlp::vendor_device_step>(
      w.model, batch_of(w), rate, memory_of(w, scratch.data()),
      s.workspace<std::byte>(vendor::workspace_bytes).data(), s.queue());
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
