// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "published.hpp"

namespace ridge::plan::train {
namespace {

constexpr std::int64_t tokens = 4096;
constexpr double port_bytes_per_s = 50e9;

attention_shape grouped(std::int64_t heads) {
  constexpr std::int64_t key_value_heads = 4, head_dim = 128;
  return {.heads = heads, .kv_heads = key_value_heads, .head_dim = head_dim, .value_head_dim = head_dim};
}

model_shape qwen3(const char* name, std::size_t layers, std::int64_t hidden, std::int64_t heads,
                  std::int64_t wide) {
  model_shape m{.name = name, .hidden = hidden, .vocabulary = 151936, .max_positions = tokens};
  layer_shape layer;
  layer.attention = grouped(heads);
  layer.feed_forward.experts = 128;
  layer.feed_forward.active_experts = 8;
  layer.feed_forward.expert_intermediate = wide;
  m.kinds = {layer};
  m.order.assign(layers, 0);
  return m;
}

attention_shape latent() {
  attention_shape a{.kind = attention_kind::latent, .heads = 128, .kv_heads = 128, .head_dim = 192};
  a.value_head_dim = a.nope_dim = 128;
  a.query_rank = 1536;
  a.kv_rank = 512;
  a.rope_dim = 64;
  return a;
}

model_shape deepseek_v3() {
  model_shape m{.name = "DeepSeek-V3", .hidden = 7168, .vocabulary = 129280, .max_positions = tokens};
  layer_shape dense;
  dense.attention = latent();
  dense.feed_forward.intermediate = 18432;
  layer_shape sparse;
  sparse.attention = latent();
  sparse.feed_forward.experts = 256;
  sparse.feed_forward.active_experts = 8;
  sparse.feed_forward.expert_intermediate = sparse.feed_forward.shared_intermediate = 2048;
  sparse.feed_forward.shared_experts = 1;
  m.kinds = {dense, sparse};
  m.order.assign(61, 1);
  m.order[0] = m.order[1] = m.order[2] = 0;
  return m;
}

struct published {
  model_shape model{};
  const char* gpu = "";
  const char* compute_type = "";
  int gpus = 0;
  std::int64_t batch = 0;
  int micro_batch = 1, pipeline = 1, virtual_pipeline = 1, expert = 1;
  double tokens_a_gpu_s = 0;
};

measured_run run_of(const published& p) {
  measured_run r;
  r.name = fmt::format("{}, {} {}, {}", p.model.name, p.gpus, p.gpu, p.compute_type);
  r.group = p.model.name;
  r.gpu = catalogue_gpu(p.gpu);
  r.links = usual_interconnect(r.gpu, port_bytes_per_s);
  r.job = {.model = p.model, .global_batch = p.batch, .sequence = tokens, .compute_type = p.compute_type};
  r.plan.layout = {.pipeline = p.pipeline,
                   .virtual_pipeline = p.virtual_pipeline,
                   .data = p.gpus / p.pipeline,
                   .expert = p.expert};
  r.plan.micro_batch = p.micro_batch;
  r.step_s = static_cast<double>(p.batch * tokens) / (p.tokens_a_gpu_s * p.gpus);
  return r;
}

}  // namespace

std::vector<measured_run> published_expert_runs() {
  const auto small = qwen3("Qwen3-30B-A3B", 48, 2048, 32, 768);
  const auto large = qwen3("Qwen3-235B-A22B", 94, 4096, 64, 1536);
  const auto deepseek = deepseek_v3();
  const published table[] = {{small, "H100 SXM", "fp8", 16, 512, 2, 2, 24, 8, 5275},
                             {small, "GB200", "fp8", 8, 512, 4, 1, 1, 8, 23766},
                             {large, "GB200", "bf16", 256, 8192, 1, 8, 3, 32, 4916},
                             {deepseek, "GB200", "bf16", 256, 4096, 1, 4, 4, 64, 3139},
                             {deepseek, "GB200", "fp8", 256, 4096, 1, 8, 4, 32, 4018},
                             {deepseek, "B200 SXM", "fp8", 256, 2048, 1, 16, 1, 8, 2139}};
  std::vector<measured_run> all;
  for (const auto& p : table) all.push_back(run_of(p));
  return all;
}

}  // namespace ridge::plan::train
