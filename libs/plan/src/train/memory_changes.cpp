// SPDX-License-Identifier: Apache-2.0
#include "memory_changes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ridge::plan::train {
namespace {

struct gathering {
  const training_job& job;
  const memory_settings& settings;
  const training_plan& plan;
  std::vector<memory_change> made{};

  [[nodiscard]] bool possible(const training_plan& p) const {
    const auto together = std::int64_t{p.layout.data} * p.micro_batch;
    if (!check_layout(job.model, p.layout) || job.global_batch % together != 0) return false;
    return schedule_holds(p, job.global_batch / together);
  }
  void plan_with(std::string description, const training_plan& p) {
    if (possible(p)) made.push_back({std::move(description), p, settings, {}});
  }
  template <class Change>
  void plan_by(std::string description, Change change) {
    auto p = plan;
    change(p);
    plan_with(std::move(description), p);
  }
  template <class Change>
  void settings_by(std::string description, std::string caution, Change change) {
    auto s = settings;
    change(s);
    made.push_back({std::move(description), plan, s, std::move(caution)});
  }
};

void add_recomputation(gathering& g) {
  if (g.plan.recompute == recomputation::none)
    g.plan_by("selective recomputation", [](auto& p) { p.recompute = recomputation::selective; });
  if (g.plan.recompute != recomputation::full)
    g.plan_by("full recomputation", [](auto& p) { p.recompute = recomputation::full; });
  if (g.plan.recompute == recomputation::full || g.settings.recompute_pointwise) return;
  g.plan_by("recomputation of norms and activations",
            [](auto& p) { p.recompute = recomputation::selective; });
  g.made.back().settings.recompute_pointwise = true;
}

void add_sharding(gathering& g) {
  const auto& l = g.plan.layout;
  if (l.data * l.context == 1) return;
  for (const auto level : {sharding::optimizer, sharding::gradients, sharding::weights}) {
    if (g.plan.shard >= level) continue;
    g.plan_by(fmt::format("ZeRO-{} over {} ranks", static_cast<int>(level), l.data * l.context),
              [&](auto& p) { p.shard = level; });
  }
}

void add_batch(gathering& g) {
  for (int b = g.plan.micro_batch / 2; b >= 1; b /= 2)
    g.plan_by(fmt::format("micro-batch {} -> {}", g.plan.micro_batch, b),
              [&](auto& p) { p.micro_batch = b; });
  if (g.plan.layout.tensor > 1 && !g.plan.sequence_parallel)
    g.plan_by("sequence parallelism", [](auto& p) { p.sequence_parallel = true; });
}

// Twice as many ranks of one kind and half as many data-parallel ranks.
void add_layouts(gathering& g) {
  const std::pair<const char*, int parallel_layout::*> sorts[]{{"TP", &parallel_layout::tensor},
                                                               {"PP", &parallel_layout::pipeline},
                                                               {"CP", &parallel_layout::context}};
  const auto& l = g.plan.layout;
  for (const auto& [name, sort] : sorts) {
    if (l.data % 2 != 0) break;
    g.plan_by(fmt::format("{} {} -> {}, DP {} -> {}", name, l.*sort, 2 * (l.*sort), l.data, l.data / 2),
              [&, sort = sort](auto& p) { p.layout.*sort *= 2, p.layout.data /= 2; });
  }
  if (g.job.model.has_experts())
    g.plan_by(fmt::format("EP {} -> {}", l.expert, 2 * l.expert), [](auto& p) { p.layout.expert *= 2; });
  if (g.plan.schedule == pipeline_schedule::dual_pipe)
    g.plan_by("1F1B instead of DualPipe",
              [](auto& p) { p.schedule = pipeline_schedule::one_forward_one_backward; });
  if (l.virtual_pipeline > 1)
    g.plan_by(fmt::format("VP {} -> 1", l.virtual_pipeline), [](auto& p) { p.layout.virtual_pipeline = 1; });
}

void add_settings(gathering& g) {
  const auto& s = g.settings;
  if (s.optimizer == optimizer_kind::adam)
    g.settings_by("8-bit Adam", "convergence",
                  [](auto& plan) { plan.optimizer = optimizer_kind::adam_8bit; });
  if (s.optimizer != optimizer_kind::adam_8bit && s.moment_bytes > 2)
    g.settings_by("moments in bf16", "convergence", [](auto& plan) { plan.moment_bytes = 2; });
  if (s.gradient_bytes > 2)
    g.settings_by("gradients in bf16", "small gradients", [](auto& plan) { plan.gradient_bytes = 2; });
  if (g.job.compute_type == "fp8" && !s.fp8_activations)
    g.settings_by("inputs of products kept in fp8", {}, [](auto& plan) { plan.fp8_activations = true; });
  if (s.loss_chunk_tokens == 0)
    g.settings_by("loss in chunks of 1024 tokens", "needs a fused loss",
                  [](auto& plan) { plan.loss_chunk_tokens = 1024; });
}

}  // namespace

std::vector<memory_change> changes_of(const training_job& job, const memory_settings& settings,
                                      const training_plan& plan) {
  gathering g{.job = job, .settings = settings, .plan = plan};
  add_recomputation(g);
  add_sharding(g);
  add_batch(g);
  add_layouts(g);
  add_settings(g);
  return std::move(g.made);
}

std::vector<memory_change> enlargements_of(const training_job& job, const memory_settings& settings,
                                           const training_plan& plan, int factor) {
  gathering g{.job = job, .settings = settings, .plan = plan};
  const auto& l = plan.layout;
  const auto gpus = l.gpus() * factor;
  const auto grow = [&](const char* name, int parallel_layout::*sort) {
    g.plan_by(fmt::format("{} GPUs: {} {} -> {}", gpus, name, l.*sort, l.*sort * factor),
              [&](auto& p) { p.layout.*sort *= factor; });
  };
  grow("DP", &parallel_layout::data);
  grow("TP", &parallel_layout::tensor);
  grow("PP", &parallel_layout::pipeline);
  return std::move(g.made);
}

}  // namespace ridge::plan::train
