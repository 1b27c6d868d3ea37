// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/parallelism.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "compiled_models.hpp"

namespace ridge::plan::train {
namespace {

using maybe = std::optional<error>;

maybe question_wrong(const parallelism_question& q) {
  constexpr std::int64_t most = 1 << 20;
  if (q.gpus.empty()) return error{.message = "no number of GPUs", .remedy = "give one or more"};
  for (const auto n : q.gpus) {
    if (n < 1 || n > most)
      return error{.message = fmt::format("{} GPUs", n), .remedy = fmt::format("give 1 to {}", most)};
  }
  if (q.model.layers() == 0) return error{.message = "a model without layers", .remedy = "name a model"};
  if (q.gpu.generation == "tpu")
    return error{.message = fmt::format("no training step was measured on {} or its like", q.gpu.name),
                 .remedy = "choose a GPU; plan memory train takes a TPU"};
  for (const auto& type : q.compute_types) {
    if (!(q.gpu.peak_flop_per_s(type) > 0))
      return error{.message = fmt::format("no peak of {} is known for {}", type, q.gpu.name),
                   .remedy = "choose another type or GPU"};
  }
  for (const auto& type : q.compute_types) {
    if (auto checked = check_settings(settings_for(type, q.formats, q.memory)); !checked)
      return checked.why();
  }
  return {};
}

training_job job_of(const parallelism_question& q) {
  training_job job{.model = q.model, .global_batch = q.global_batch, .sequence = q.sequence};
  if (job.global_batch == 0) job.global_batch = usual_global_batch(std::ranges::max(q.gpus));
  if (job.sequence == 0) job.sequence = usual_sequence(q.model);
  job.compute_type = q.compute_types.front();
  return job;
}

search_request request_of(const parallelism_question& q, const training_job& job) {
  return {.job = job,
          .gpus = q.gpus,
          .memory_bytes = q.usable_bytes > 0 ? q.usable_bytes : q.gpu.memory_bytes,
          .space = q.space,
          .objective = q.objective,
          .top = q.top,
          .threads = q.threads,
          .dollars_per_gpu_hour = q.dollars_per_gpu_hour};
}

double tokens_per_step(const training_job& job) {
  return static_cast<double>(job.global_batch) * static_cast<double>(job.sequence);
}

evaluated_plan evaluated(const parallelism_question& q, const training_job& job,
                         const compiled_models& models, const scored_plan& p, double limit) {
  evaluated_plan e{.scored = p,
                   .compute_type = q.compute_types[p.precision],
                   .time = models.time(p.precision).time(p.plan),
                   .memory = models.memory(p.precision).worst(p.plan)};
  e.scored.step_s = e.time.total_s;
  e.fits = e.scored.memory_bytes <= limit;
  const double tokens = tokens_per_step(job);
  e.dollars_per_million_tokens =
      e.scored.step_s * static_cast<double>(p.gpus) * q.dollars_per_gpu_hour / 3600 / tokens * 1e6;
  e.kept = goodput_of(q.failures, p.plan.layout.gpus());
  if (q.tokens > 0)
    e.run = estimate({.tokens = q.tokens,
                      .tokens_per_step = tokens,
                      .step_s = e.scored.step_s,
                      .gpus = p.gpus,
                      .dollars_per_gpu_hour = q.dollars_per_gpu_hour,
                      .gpu_power_w = q.gpu.power_w,
                      .power_usage = q.power_usage},
                     e.kept);
  return e;
}

// The best plan when one limit of the request is removed.
std::optional<relaxation> relaxed(const parallelism_question& q, const parallelism_answer& a,
                                  const compiled_models& models, const search_request& within,
                                  std::string limit, std::string description, double slack) {
  auto request = within;
  request.top = 1;
  const auto axes = axes_of(request.job, request.space);
  if (!axes) return {};
  const auto found = search(request, *axes, models.all());
  if (found.best.empty()) return {};
  relaxation r{.limit = std::move(limit), .description = std::move(description), .slack = slack};
  r.best = evaluated(q, a.job, models, found.best.front(), a.usable_bytes);
  if (a.plans.empty())
    r.gain = 1;
  else
    r.gain = std::max(0.0, 1 - score(r.best.scored, request) / score(a.plans.front().scored, request));
  return r;
}

void add(std::vector<relaxation>& relaxations, std::optional<relaxation> found) {
  if (found) relaxations.push_back(std::move(*found));
}

void find_limits(const parallelism_question& q, const compiled_models& models, const search_request& asked,
                 parallelism_answer& a) {
  const double used = a.plans.empty() ? a.usable_bytes : a.plans.front().scored.memory_bytes;
  if (q.objective != objective::memory) {
    auto more = asked;
    more.memory_bytes = std::numeric_limits<double>::infinity();
    add(a.limits,
        relaxed(q, a, models, more, "memory", "with unlimited memory per GPU", 1 - used / a.usable_bytes));
  }
  if (!q.space.tensor_across_nodes && q.space.tensor.empty()) {
    auto across = asked;
    across.space.tensor_across_nodes = true;
    const int tensor = a.plans.empty() ? 1 : a.plans.front().scored.plan.layout.tensor;
    add(a.limits, relaxed(q, a, models, across, "scale_up", "if tensor ranks might span nodes",
                          1 - static_cast<double>(tensor) / q.space.scale_up_size));
  }
  std::ranges::stable_sort(a.limits, std::greater{}, &relaxation::gain);
}

}  // namespace

std::int64_t usual_global_batch(std::int64_t gpus) { return std::max<std::int64_t>(128, (gpus + 7) / 8); }

std::int64_t usual_global_batch(const training_plan& plan) {
  const auto& l = plan.layout;
  const auto together =
      std::int64_t{l.data} * plan.micro_batch * (l.virtual_pipeline > 1 ? std::int64_t{l.pipeline} : 1);
  if (plan.schedule == pipeline_schedule::dual_pipe)
    return std::max(usual_global_batch(l.gpus()) / (2 * together), std::int64_t{l.pipeline}) * 2 * together;
  return (usual_global_batch(l.gpus()) + together - 1) / together * together;
}

std::int64_t usual_sequence(const model_shape& model) {
  constexpr std::int64_t usual = 8192;
  return model.max_positions > 0 ? std::min(model.max_positions, usual) : usual;
}

reliability usual_reliability() {
  constexpr double day_s = 86400;
  return {.gpu_mtbf_s = 54 * day_s * 16384 / 419, .checkpoint_s = 15, .restart_s = 300};
}

result<parallelism_answer> plan_parallelism(const parallelism_question& q, const search_progress& progress) {
  if (auto wrong = question_wrong(q)) return *wrong;
  parallelism_answer a{.job = job_of(q)};
  const auto request = request_of(q, a.job);
  const auto axes = axes_of(a.job, q.space);
  if (!axes) return axes.why();
  const compiled_models models(q, a.job);
  a.usable_bytes = request.memory_bytes;
  a.search = search(request, *axes, models.all(), progress);
  for (const auto& p : a.search.best) a.plans.push_back(evaluated(q, a.job, models, p, a.usable_bytes));
  for (const auto& p : a.search.front) a.front.push_back(evaluated(q, a.job, models, p, a.usable_bytes));
  if (a.plans.empty() && a.search.evaluated > 0)
    a.nearest = evaluated(q, a.job, models,
                          {.plan = a.search.least_memory,
                           .precision = a.search.least_memory_precision,
                           .gpus = std::ranges::max(q.gpus),
                           .memory_bytes = a.search.least_memory_bytes},
                          a.usable_bytes);
  if (!a.search.stopped && a.search.evaluated > 1) find_limits(q, models, request, a);
  return a;
}

derivation explain(const parallelism_question& q, const parallelism_answer& a, const evaluated_plan& p) {
  const compiled_models models(q, a.job);
  auto all = models.memory(p.scored.precision).explain(p.scored.plan);
  const auto time = models.time(p.scored.precision).explain(p.scored.plan);
  all.insert(all.end(), time.begin(), time.end());
  const auto run = explain(q.failures, {.tokens = q.tokens,
                                        .tokens_per_step = tokens_per_step(a.job),
                                        .step_s = p.scored.step_s,
                                        .gpus = p.scored.gpus,
                                        .dollars_per_gpu_hour = q.dollars_per_gpu_hour,
                                        .gpu_power_w = q.gpu.power_w,
                                        .power_usage = q.power_usage});
  all.insert(all.end(), run.begin(), run.end());
  return all;
}

}  // namespace ridge::plan::train
