// SPDX-License-Identifier: Apache-2.0
#include "published.hpp"

#include <string>

namespace ridge::plan::accuracy {

using train::recomputation;

train::training_job job_of(const published_memory& p) {
  const std::int64_t h = p.hidden;
  layer_shape layer{.norm_parameters = 4 * h};
  layer.attention = {.heads = p.heads,
                     .kv_heads = p.heads,
                     .head_dim = h / p.heads,
                     .value_head_dim = h / p.heads,
                     .query_key_bias = true,
                     .output_bias = true};
  layer.feed_forward = {.intermediate = 4 * h, .gated = false, .bias = true};
  train::training_job job{.global_batch = p.global_batch, .sequence = 2048};
  job.dropout = true;
  job.fused_attention = false;
  job.model.name = std::string(p.name);
  job.model.hidden = h;
  job.model.vocabulary = 51200;
  job.model.position_embeddings = 2048;
  job.model.tied_embeddings = true;
  job.model.final_norm_parameters = 2 * h;
  job.model.kinds = {layer};
  job.model.order.assign(static_cast<std::size_t>(p.layers), 0);
  return job;
}

train::training_plan plan_of(const published_memory& p, recomputation r, bool sequence_parallel) {
  train::training_plan plan{.micro_batch = p.micro_batch, .recompute = r};
  plan.layout.tensor = p.tensor;
  plan.layout.pipeline = p.pipeline;
  plan.layout.virtual_pipeline = p.virtual_pipeline;
  plan.shard = train::sharding::none;
  plan.sequence_parallel = sequence_parallel;
  return plan;
}

train::training_plan plan_of_column(const published_memory& p, std::size_t column) {
  constexpr std::array<recomputation, 5> recomputed{recomputation::none, recomputation::none,
                                                    recomputation::selective, recomputation::selective,
                                                    recomputation::full};
  return plan_of(p, recomputed.at(column), column == 1 || column == 3);
}

}  // namespace ridge::plan::accuracy
