// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

namespace ridge::plan::train {
namespace {

attention_shape grouped(std::int64_t heads, std::int64_t kv_heads, std::int64_t dim) {
  attention_shape a;
  a.heads = heads;
  a.kv_heads = kv_heads;
  a.head_dim = a.value_head_dim = dim;
  return a;
}

model_shape dense_llama(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t wide) {
  model_shape m;
  m.hidden = hidden;
  m.vocabulary = 128256;
  layer_shape layer;
  layer.attention = grouped(heads, 8, 128);
  layer.feed_forward.intermediate = wide;
  m.kinds = {layer};
  m.order.assign(static_cast<std::size_t>(layers), 0);
  return m;
}

}  // namespace

model_shape gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t vocabulary) {
  model_shape m;
  m.hidden = hidden;
  m.vocabulary = vocabulary;
  m.position_embeddings = 2048;
  m.tied_embeddings = true;
  layer_shape layer;
  layer.attention = grouped(heads, heads, hidden / heads);
  layer.feed_forward.intermediate = 4 * hidden;
  layer.feed_forward.gated = false;
  m.kinds = {layer};
  m.order.assign(static_cast<std::size_t>(layers), 0);
  return m;
}

model_shape llama_70b() { return dense_llama(80, 8192, 64, 28672); }
model_shape llama_405b() { return dense_llama(126, 16384, 128, 53248); }

model_shape qwen3_30b_a3b() {
  model_shape m;
  m.hidden = 2048;
  m.vocabulary = 151936;
  layer_shape layer;
  layer.attention = grouped(32, 4, 128);
  layer.feed_forward.experts = 128;
  layer.feed_forward.active_experts = 8;
  layer.feed_forward.expert_intermediate = 768;
  m.kinds = {layer};
  m.order.assign(48, 0);
  return m;
}

model_shape deepseek_v3() {
  model_shape m;
  m.hidden = 7168;
  m.vocabulary = 129280;
  layer_shape dense;
  dense.attention = grouped(128, 128, 192);
  dense.attention.kind = attention_kind::latent;
  dense.attention.value_head_dim = 128;
  dense.attention.query_rank = 1536;
  dense.attention.kv_rank = 512;
  dense.attention.rope_dim = 64;
  dense.attention.nope_dim = 128;
  dense.feed_forward.intermediate = 18432;
  auto sparse = dense;
  sparse.feed_forward = {};
  sparse.feed_forward.experts = 256;
  sparse.feed_forward.active_experts = 8;
  sparse.feed_forward.expert_intermediate = 2048;
  sparse.feed_forward.shared_experts = 1;
  sparse.feed_forward.shared_intermediate = 2048;
  m.kinds = {dense, sparse};
  m.order.assign(61, 1);
  m.order[0] = m.order[1] = m.order[2] = 0;
  return m;
}

training_coefficients ideal() {
  training_coefficients c;
  c.bf16_efficiency = c.fp8_efficiency = c.attention_efficiency = c.bandwidth_efficiency = 1;
  c.data_overlap = c.context_overlap = 0;
  return c;
}

accelerator machine(double flop_per_s, double bytes_per_s) {
  accelerator a;
  a.name = "test";
  a.peaks = {{.dtype = "bf16", .flop_per_s = flop_per_s}};
  a.bandwidth_bytes_per_s = bytes_per_s;
  return a;
}

interconnect links(double scale_up_bytes_per_s, double port_bytes_per_s) {
  interconnect by;
  by.tiers.push_back({.name = "scale-up", .size = 8, .bytes_per_s = scale_up_bytes_per_s});
  by.tiers.push_back({.name = "network", .size = 1LL << 40, .bytes_per_s = port_bytes_per_s});
  return by;
}

}  // namespace ridge::plan::train
