// SPDX-License-Identifier: Apache-2.0
#include "megatron.hpp"

#include <fmt/format.h>

namespace ridge::plan::train {
namespace {

constexpr double hdr_port_bytes_per_s = 25e9;  // 200 Gb/s, one port per GPU

struct published {
  const char* name;
  std::int64_t hidden, heads, layers, batch;
  int micro_batch, pipeline, virtual_pipeline;
  double full_s, selective_s;
};
constexpr published table[] = {{"22B", 6144, 64, 48, 4, 4, 1, 1, 1.42, 1.10},
                               {"175B", 12288, 96, 96, 64, 1, 8, 3, 18.13, 13.75},
                               {"530B", 20480, 128, 105, 280, 1, 35, 3, 49.05, 37.83},
                               {"1T", 25600, 160, 128, 512, 1, 64, 1, 94.42, 71.49}};

model_shape gpt(const published& p) {
  model_shape m{.name = p.name, .hidden = p.hidden, .vocabulary = 51200, .max_positions = 2048};
  m.position_embeddings = 2048;
  m.tied_embeddings = true;
  layer_shape layer;
  layer.attention = {.heads = p.heads, .kv_heads = p.heads, .head_dim = p.hidden / p.heads};
  layer.attention.value_head_dim = layer.attention.head_dim;
  layer.feed_forward = {.intermediate = 4 * p.hidden, .gated = false, .bias = true};
  layer.norm_parameters = 4 * p.hidden;
  m.kinds = {layer};
  m.order.assign(static_cast<std::size_t>(p.layers), 0);
  return m;
}

measured_run run_of(const published& p, bool full) {
  measured_run r;
  r.name = fmt::format("{}, {}", p.name, full ? "full" : "selective");
  r.group = p.name;
  r.gpu = catalogue_gpu("A100 SXM 80 GB");
  r.links = usual_interconnect(r.gpu, hdr_port_bytes_per_s);
  r.job = {.model = gpt(p), .global_batch = p.batch, .sequence = 2048};
  r.job.dropout = true;
  r.job.fused_attention = false;
  r.plan.layout = {.tensor = 8, .pipeline = p.pipeline, .virtual_pipeline = p.virtual_pipeline};
  r.plan.micro_batch = p.micro_batch;
  r.plan.recompute = full ? recomputation::full : recomputation::selective;
  r.plan.shard = sharding::none;
  r.plan.sequence_parallel = !full;
  r.tensor_backward_overlap = megatron_2022_backward_overlap;
  r.step_s = full ? p.full_s : p.selective_s;
  return r;
}

}  // namespace

std::vector<measured_run> megatron_runs() {
  std::vector<measured_run> all;
  for (const auto& p : table)
    for (const bool full : {true, false}) all.push_back(run_of(p, full));
  return all;
}

}  // namespace ridge::plan::train
