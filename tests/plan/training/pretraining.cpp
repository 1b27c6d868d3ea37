// SPDX-License-Identifier: Apache-2.0
#include "pretraining.hpp"

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/train/training_flop.hpp>
#include <ridge/plan/train/training_memory.hpp>

#include "a100.hpp"
#include "mlperf.hpp"

namespace ridge::plan::train {
namespace {

constexpr double ndr_port_bytes_per_s = 50e9;  // 400 Gb/s, one port per GPU
constexpr double gib = 1024.0 * 1024 * 1024;

measured_run run_on(std::string_view gpu, std::string name, model_shape model, std::int64_t batch,
                    std::int64_t sequence) {
  measured_run r{.name = std::move(name), .group = model.name, .gpu = catalogue_gpu(gpu)};
  r.links = usual_interconnect(r.gpu, ndr_port_bytes_per_s);
  r.job = {.model = std::move(model), .global_batch = batch, .sequence = sequence};
  return r;
}

model_shape catalogue_model(std::string_view name) {
  const auto found = model_named(name);
  expects(found.ok(), "a model of the data is not in the catalogue");
  return *found;
}

pretraining llama_405b(int data, double teraflop_per_s) {
  constexpr int tensor = 8, pipeline = 16;
  auto r = run_on("H100 SXM", fmt::format("Llama 3 405B, {} H100", tensor * pipeline * data),
                  catalogue_model("Llama-3.1-405B"), 2048, 8192);
  // Virtual stages are not stated: a layer each is assumed. Gradients are divided, weights are not.
  r.plan.layout = {.tensor = tensor, .pipeline = pipeline, .virtual_pipeline = 8, .data = data};
  r.plan.shard = sharding::gradients;
  r.step_s = model_flop(r.job) / (static_cast<double>(r.plan.layout.gpus()) * teraflop_per_s * 1e12);
  return {.run = r, .settings = settings_for("bf16")};
}

// Squared ReLU, no biases, 256,000 words.
model_shape nemotron_340b() {
  model_shape m{.name = "Nemotron-4-340B", .hidden = 18432, .vocabulary = 256000, .max_positions = 4096};
  layer_shape layer;
  layer.attention = {.heads = 96, .kv_heads = 8, .head_dim = 192, .value_head_dim = 192};
  layer.feed_forward = {.intermediate = 73728, .gated = false};
  layer.norm_parameters = 2 * m.hidden;
  m.kinds = {layer};
  m.order.assign(96, 0);
  return m;
}

pretraining nemotron(int data, std::int64_t batch, double step_s) {
  constexpr int tensor = 8, pipeline = 12;
  auto r = run_on("H100 SXM", fmt::format("Nemotron-4 340B, {} H100", tensor * pipeline * data),
                  nemotron_340b(), batch, 4096);
  r.plan.layout = {.tensor = tensor, .pipeline = pipeline, .virtual_pipeline = 8, .data = data};
  r.step_s = step_s;
  return {.run = r, .settings = settings_for("bf16")};
}

pretraining deepseek_v3() {
  constexpr double gpu_hours_a_token = 180e3 / 1e12;
  auto r = run_on("H800 SXM", "DeepSeek-V3, 2048 H800, fp8", catalogue_model("DeepSeek-V3"), 15360, 4096);
  r.job.compute_type = "fp8";
  r.plan.layout = {.pipeline = 16, .data = 128, .expert = 64};
  r.plan.schedule = pipeline_schedule::dual_pipe;
  r.plan.recompute = recomputation::selective;
  const auto tokens = static_cast<double>(r.job.global_batch * r.job.sequence);
  r.step_s = gpu_hours_a_token * 3600 * tokens / static_cast<double>(r.plan.layout.gpus());
  // Section 3.3.3: gradients and master weights in 32 bits, moments in 16.
  auto s = settings_for("fp8", {.gradient_bytes = 4, .moment_bytes = 2});
  s.recompute_up_projections = true;
  return {.run = r, .settings = s};
}

}  // namespace

std::vector<pretraining> pretraining_runs() {
  return {llama_405b(64, 430),      llama_405b(128, 400),    nemotron(16, 768, 10.3),
          nemotron(32, 1536, 10.3), nemotron(64, 2304, 8.0), deepseek_v3()};
}

std::vector<pretraining> runs_that_ran(const std::filesystem::path& data) {
  auto all = pretraining_runs();
  const auto add = [&](const std::vector<measured_run>& runs) {
    for (const auto& r : runs) {
      const bool bloom = r.group.starts_with("BLOOM");
      all.push_back(
          {.run = r, .settings = settings_for(r.job.compute_type), .stated_gib = bloom ? 60e9 / gib : 0});
    }
  };
  add(a100_runs());
  add(mlperf_runs(data));
  return all;
}

double needed_bytes(const pretraining& p) {
  return memory_model(p.run.job, p.settings).worst(p.run.plan).total_bytes();
}

}  // namespace ridge::plan::train
