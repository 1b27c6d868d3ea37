// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/train/training_memory.hpp>

namespace ridge::plan::train::tests {

// Layers of 64: heads of 8, one key-value head for two of queries.
inline layer_shape dense_layer(std::int64_t intermediate = 256) {
  layer_shape l{.norm_parameters = 128};
  l.attention = {.heads = 8, .kv_heads = 4, .head_dim = 8, .value_head_dim = 8};
  l.feed_forward = {.intermediate = intermediate};
  return l;
}

inline layer_shape expert_layer() {
  auto l = dense_layer(0);
  l.feed_forward = {.experts = 16, .active_experts = 2, .expert_intermediate = 32};
  return l;
}

inline training_job job_of(std::vector<layer_shape> kinds, std::vector<std::uint8_t> order) {
  training_job j{.global_batch = 64, .sequence = 128};
  j.model.hidden = 64;
  j.model.vocabulary = 1000;
  j.model.final_norm_parameters = 64;
  j.model.kinds = std::move(kinds);
  j.model.order = std::move(order);
  return j;
}

// Settings without context, buffers of libraries and fragmentation.
inline memory_settings bare() { return {.context_bytes = 0, .communicator_bytes = 0, .fragmentation = 0}; }

}  // namespace ridge::plan::train::tests
