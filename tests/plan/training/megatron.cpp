// SPDX-License-Identifier: Apache-2.0
#include "megatron.hpp"

#include <utility>

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

measured_run run_of(const published& p, bool full) {
  measured_run r;
  r.name = fmt::format("{}, {}", p.name, full ? "full" : "selective");
  r.group = p.name;
  r.gpu = catalogue_gpu("A100 SXM 80 GB");
  r.links = usual_interconnect(r.gpu, hdr_port_bytes_per_s);
  r.job = {.model = gpt_shape(p.name, {p.hidden, p.heads, p.layers, 51200, 2048}, 2048),
           .global_batch = p.batch,
           .sequence = 2048};
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

model_shape gpt_shape(std::string name, const gpt_sizes& g, std::int64_t sequence) {
  model_shape m{
      .name = std::move(name), .hidden = g.hidden, .vocabulary = g.vocabulary, .max_positions = sequence};
  m.position_embeddings = g.positions;
  m.tied_embeddings = true;
  layer_shape layer;
  layer.attention = {.heads = g.heads, .kv_heads = g.heads, .head_dim = g.hidden / g.heads};
  layer.attention.value_head_dim = layer.attention.head_dim;
  layer.feed_forward = {.intermediate = 4 * g.hidden, .gated = false, .bias = true};
  layer.norm_parameters = 4 * g.hidden;
  m.kinds = {layer};
  m.order.assign(static_cast<std::size_t>(g.layers), 0);
  return m;
}

std::vector<measured_run> megatron_runs() {
  std::vector<measured_run> all;
  for (const auto& p : table)
    for (const bool full : {true, false}) all.push_back(run_of(p, full));
  return all;
}

}  // namespace ridge::plan::train
