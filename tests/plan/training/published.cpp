// SPDX-License-Identifier: Apache-2.0
#include "published.hpp"

#include <cmath>

#include <fmt/format.h>

#include "minimize.hpp"

namespace ridge::plan::train {
namespace {

constexpr std::int64_t tokens = 8192;
constexpr double port_bytes_per_s = 50e9;

struct dense_model {
  const char* name;
  std::int64_t hidden, intermediate, heads, layers;
};
constexpr dense_model small{"Llama 3 8B", 4096, 14336, 32, 32};
constexpr dense_model middle{"Llama 3 70B", 8192, 28672, 64, 80};
constexpr dense_model large{"Llama 3.1 405B", 16384, 53248, 128, 126};

struct published {
  const dense_model& model;
  const char* gpu;
  int gpus;
  std::int64_t batch;
  int micro_batch;
  bool fsdp;
  int tensor, pipeline, context, virtual_pipeline;
  double tokens_a_gpu_s;
};
const published table[] = {{small, "H100 SXM", 8, 128, 1, true, 1, 1, 1, 1, 14451},
                           {middle, "H100 SXM", 64, 128, 1, false, 4, 8, 1, 5, 1602},
                           {large, "H100 SXM", 1024, 512, 1, false, 8, 8, 2, 8, 292},
                           {small, "GB200", 8, 128, 2, false, 1, 1, 1, 1, 31508},
                           {middle, "GB200", 64, 256, 2, true, 1, 1, 1, 1, 4312},
                           {large, "GB200", 256, 1536, 1, false, 4, 16, 1, 4, 813},
                           {small, "B200 SXM", 8, 128, 2, false, 1, 1, 1, 1, 30624},
                           {large, "B200 SXM", 128, 64, 1, false, 4, 8, 2, 8, 661},
                           {small, "GB300", 8, 128, 2, false, 1, 1, 1, 1, 37556},
                           {large, "GB300", 256, 1536, 1, false, 2, 8, 2, 4, 999}};

model_shape llama(const dense_model& d) {
  constexpr std::int64_t key_value_heads = 8, head_dim = 128;
  model_shape m{.name = d.name, .hidden = d.hidden, .vocabulary = 128256, .max_positions = tokens};
  layer_shape layer;
  layer.attention = {
      .heads = d.heads, .kv_heads = key_value_heads, .head_dim = head_dim, .value_head_dim = head_dim};
  layer.feed_forward = {.intermediate = d.intermediate};
  layer.norm_parameters = 2 * d.hidden;
  m.kinds = {layer};
  m.order.assign(static_cast<std::size_t>(d.layers), 0);
  return m;
}

measured_run run_of(const published& p) {
  measured_run r;
  r.name = fmt::format("{}, {} {}", p.model.name, p.gpus, p.gpu);
  r.group = p.model.name;
  r.gpu = catalogue_gpu(p.gpu);
  r.links = usual_interconnect(r.gpu, port_bytes_per_s);
  r.job = {.model = llama(p.model), .global_batch = p.batch, .sequence = tokens, .compute_type = "fp8"};
  r.plan.layout = {.tensor = p.tensor,
                   .pipeline = p.pipeline,
                   .virtual_pipeline = p.virtual_pipeline,
                   .context = p.context,
                   .data = p.gpus / (p.tensor * p.pipeline * p.context)};
  r.plan.micro_batch = p.micro_batch;
  r.plan.shard = p.fsdp ? sharding::weights : sharding::optimizer;
  r.step_s = static_cast<double>(p.batch * tokens) / (p.tokens_a_gpu_s * p.gpus);
  return r;
}

}  // namespace

std::vector<measured_run> published_runs() {
  std::vector<measured_run> all;
  for (const auto& p : table) all.push_back(run_of(p));
  return all;
}

measured_run published_bf16_run() {
  auto r = run_of({large, "GB200", 128, 64, 1, false, 4, 8, 2, 8, 1});
  r.name += ", bf16";
  r.job.compute_type = "bf16";
  r.step_s = 9.347;
  return r;
}

double fit_bf16(const measured_run& run, const training_coefficients& coefficients) {
  const auto off = [&](const std::vector<double>& parameters) {
    auto c = coefficients;
    c.bf16_efficiency = parameters[0];
    const double e = std::log(predict_s(run, c) / run.step_s);
    return e * e;
  };
  return minimize(off, {{0.6, 0.1, 1}})[0];
}

}  // namespace ridge::plan::train
