// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/layout_table.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan::train {
namespace {

parallelism_question question_for(const parallelism_question& question, const layout_rule& rule,
                                  std::int64_t gpus) {
  auto q = question;
  q.gpus = {gpus};
  q.top = 1;
  q.tokens = 0;
  q.global_batch = question.global_batch > 0 ? question.global_batch : std::max<std::int64_t>(64, gpus);
  q.sequence = question.sequence > 0 ? question.sequence : 4096;
  q.space = {};
  q.space.scale_up_size = question.space.scale_up_size;
  q.space.tensor = {rule.tensor};
  q.space.data = {rule.data};
  q.space.pipeline = {1};
  q.space.context = {1};
  return q;
}

std::string size_text(double bytes) { return format_quantity(bytes, "B"); }

std::string why_differs(const checked_rule& c, double usable_bytes) {
  const auto& r = c.by_rule;
  if (!c.best)
    return fmt::format("nothing fits on {} GPUs: this model needs more of them, or more memory", c.gpus);
  const auto& b = *c.best;
  if (!r.fits)
    return fmt::format("{} does not fit: {} of {}; {} does", r.scored.plan.layout.text(),
                       size_text(r.scored.memory_bytes), size_text(usable_bytes),
                       b.scored.plan.layout.text());
  if (c.slower < 0.01) return "as fast as the best";
  const double tensor = r.time.tensor_exposed_s - b.time.tensor_exposed_s;
  const double recomputed = r.time.recomputation_s - b.time.recomputation_s;
  if (tensor >= recomputed && tensor > 0)
    return fmt::format("tensor-parallel exchange costs {} more of {}", format_quantity(tensor, "s"),
                       format_quantity(r.scored.step_s, "s"));
  if (recomputed > 0)
    return fmt::format("recomputation, to fit, costs {} more of {}", format_quantity(recomputed, "s"),
                       format_quantity(r.scored.step_s, "s"));
  return fmt::format("{} divides the work more evenly", b.scored.plan.layout.text());
}

result<checked_rule> checked(const layout_rule& rule, const parallelism_question& question) {
  auto model = model_named(rule.example);
  if (!model) return model.why();
  if (rule.layers > 0) model->order.resize(std::min(rule.layers, model->order.size()));
  checked_rule c{.rule = rule, .gpus = std::int64_t{rule.tensor} * rule.data};
  auto q = question_for(question, rule, c.gpus);
  q.model = *model;
  const auto narrow = plan_parallelism(q);
  if (!narrow) return narrow.why();
  c.by_rule = narrow->plans.empty() ? narrow->nearest.value_or(evaluated_plan{}) : narrow->plans.front();
  c.weights_bytes = 2.0 * static_cast<double>(count_parameters(*model).total()) / rule.tensor;
  q.space = {};
  q.space.scale_up_size = question.space.scale_up_size;
  const auto wide = plan_parallelism(q);
  if (!wide) return wide.why();
  if (!wide->plans.empty()) c.best = wide->plans.front();
  if (c.best && c.by_rule.fits) c.slower = c.by_rule.scored.step_s / c.best->scored.step_s - 1;
  c.why = why_differs(c, wide->usable_bytes);
  return c;
}

}  // namespace

const std::vector<layout_rule>& usual_layout_rules() {
  static const std::vector<layout_rule> rules{{"<1B", 1, 8, 1, 2, "Qwen/Qwen3-0.6B"},
                                              {"1-10B", 2, 4, 4, 10, "meta-llama/Llama-3.1-8B"},
                                              {"10-30B", 4, 2, 10, 25, "Qwen/Qwen3-32B", 40},
                                              {"30-100B", 8, 1, 25, 50, "meta-llama/Llama-3.1-70B"},
                                              {"100B+", 8, 16, 50, 0, "meta-llama/Llama-3.1-405B"}};
  return rules;
}

result<std::vector<checked_rule>> check_layout_rules(const parallelism_question& question) {
  std::vector<checked_rule> all;
  for (const auto& rule : usual_layout_rules()) {
    auto one = checked(rule, question);
    if (!one) return one.why();
    all.push_back(std::move(*one));
  }
  return all;
}

}  // namespace ridge::plan::train
