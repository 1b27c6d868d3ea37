// SPDX-License-Identifier: Apache-2.0
#include "plan_rows.hpp"

#include <fmt/format.h>

namespace ridge::plan_report {
namespace {

using namespace plan::train;
using report::unit;
using report::value;

value whole(std::int64_t n) { return n; }

void append(std::vector<value>& cells, std::initializer_list<value> values) {
  cells.insert(cells.end(), values.begin(), values.end());
}

void append_known(std::vector<value>& cells, bool known, double v) {
  cells.emplace_back();
  if (known) cells.back() = v;
}

void append_layout(std::vector<value>& cells, const evaluated_plan& p) {
  const auto& plan = p.scored.plan;
  const auto& l = plan.layout;
  append(cells, {l.text(), whole(l.tensor), whole(l.pipeline), whole(l.virtual_pipeline), whole(l.context),
                 whole(l.data), whole(l.expert), whole(l.expert_tensor), whole(plan.micro_batch),
                 whole(static_cast<int>(plan.shard)), std::string(name_of(plan.recompute)), p.compute_type,
                 std::string(name_of(plan.schedule)), plan.sequence_parallel, whole(p.scored.gpus),
                 whole(l.gpus())});
}

void append_time(std::vector<value>& cells, const evaluated_plan& p) {
  const auto& t = p.time;
  append(cells, {p.scored.step_s, t.tokens_per_s, t.tokens_per_s / static_cast<double>(p.scored.gpus), t.mfu,
                 t.mfu * 100, t.hfu, t.bubble_s / t.total_s * 100, exposed_s(t) / t.total_s * 100});
}

void append_memory(std::vector<value>& cells, const evaluated_plan& p, double usable_bytes) {
  append(cells, {p.scored.memory_bytes, usable_bytes - p.scored.memory_bytes, p.fits});
}

void append_breakdown(std::vector<value>& cells, const evaluated_plan& p) {
  const auto& t = p.time;
  append(cells, {t.product_s, t.attention_s, t.memory_bound_s, t.recomputation_s, t.tensor_exposed_s,
                 t.context_exposed_s, t.expert_exposed_s, t.pipeline_exposed_s, t.bubble_s, t.data_exposed_s,
                 t.optimizer_s, t.fixed_s, t.straggler_s});
  const auto& m = p.memory;
  append(cells, {m.weights_bytes + m.expert_weights_bytes, m.gradients_bytes + m.expert_gradients_bytes,
                 m.optimizer_bytes + m.expert_optimizer_bytes,
                 m.activations_bytes + m.embedding_activations_bytes + m.logits_bytes,
                 m.workspace_bytes + m.communication_bytes + m.context_bytes + m.fragmentation_bytes});
}

}  // namespace

double exposed_s(const step_time& t) {
  return t.tensor_exposed_s + t.context_exposed_s + t.expert_exposed_s + t.pipeline_exposed_s +
         t.data_exposed_s;
}

plan_columns columns_for(const std::vector<evaluated_plan>& plans, bool priced) {
  plan_columns c{.priced = priced};
  for (const auto& p : plans) {
    const auto& l = p.scored.plan.layout;
    c.gpus = c.gpus || p.scored.gpus != plans.front().scored.gpus;
    c.types = c.types || p.compute_type != plans.front().compute_type;
    c.virtual_pipeline = c.virtual_pipeline || l.virtual_pipeline > 1;
    c.context = c.context || l.context > 1;
    c.expert = c.expert || l.expert > 1;
    c.schedule = c.schedule || p.scored.plan.schedule != pipeline_schedule::one_forward_one_backward;
    c.expert_tensor = c.expert_tensor || l.expert_tensor > 1;
  }
  return c;
}

std::vector<report::field> plan_fields(const plan_columns& shown) {
  const auto header = [](bool is, const char* name) { return std::string(is ? name : ""); };
  std::vector<report::field> f{{"layout", ""},
                               {"tensor", "TP", unit::count},
                               {"pipeline", "PP", unit::count},
                               {"virtual_pipeline", header(shown.virtual_pipeline, "VP"), unit::count},
                               {"context", header(shown.context, "CP"), unit::count},
                               {"data", "DP", unit::count},
                               {"expert", header(shown.expert, "EP"), unit::count},
                               {"expert_tensor", header(shown.expert_tensor, "ETP"), unit::count},
                               {"micro_batch", "µbatch", unit::count},
                               {"zero", "ZeRO", unit::count},
                               {"recompute", "recompute"},
                               {"compute_type", header(shown.types, "type")},
                               {"schedule", header(shown.schedule, "schedule")},
                               {"sequence_parallel", ""},
                               {"gpus", header(shown.gpus, "GPUs"), unit::count},
                               {"gpus_used", ""},
                               {"step_s", "step", unit::seconds},
                               {"tokens_per_s", "tokens/s", unit::rate},
                               {"tokens_per_s_per_gpu", ""},
                               {"mfu", ""},
                               {"mfu_pct", "MFU", unit::percent},
                               {"hfu", ""},
                               {"bubble_pct", "bubble", unit::percent},
                               {"exposed_pct", "exposed", unit::percent},
                               {"memory_bytes", "memory", unit::bytes},
                               {"headroom_bytes", ""},
                               {"fits", ""}};
  for (const auto* key : {"product_s", "attention_s", "memory_bound_s", "recomputation_s", "tensor_exposed_s",
                          "context_exposed_s", "expert_exposed_s", "pipeline_exposed_s", "bubble_s",
                          "data_exposed_s", "optimizer_s", "fixed_s", "straggler_s"})
    f.push_back({std::string("breakdown.") + key, ""});
  for (const auto* key :
       {"weights_bytes", "gradients_bytes", "optimizer_bytes", "activations_bytes", "other_bytes"})
    f.push_back({std::string("memory.") + key, ""});
  f.push_back({"usd_per_million_tokens", header(shown.priced, "$/Mtoken"), unit::dollars});
  f.push_back({"goodput", ""});
  f.push_back({"run_wall_s", ""});
  f.push_back({"run_usd", ""});
  return f;
}

report::row plan_row(const evaluated_plan& p, double usable_bytes, bool priced) {
  report::row r;
  append_layout(r.values, p);
  append_time(r.values, p);
  append_memory(r.values, p, usable_bytes);
  append_breakdown(r.values, p);
  append_known(r.values, priced, p.dollars_per_million_tokens);
  append_known(r.values, true, p.kept.share);
  append_known(r.values, p.run.has_value(), p.run ? p.run->wall_s : 0);
  append_known(r.values, p.run && priced, p.run ? p.run->dollars : 0);
  return r;
}

}  // namespace ridge::plan_report
