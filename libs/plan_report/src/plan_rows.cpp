// SPDX-License-Identifier: Apache-2.0
#include "plan_rows.hpp"

#include <fmt/format.h>

namespace ridge::plan_report {
namespace {

using namespace plan::train;
using report::unit;
using report::value;

value whole(std::int64_t n) { return n; }

void append(std::vector<value>& to, std::initializer_list<value> values) {
  to.insert(to.end(), values.begin(), values.end());
}

void append_known(std::vector<value>& to, bool known, double v) {
  to.emplace_back();
  if (known) to.back() = v;
}

void append_layout(std::vector<value>& to, const evaluated_plan& p) {
  const auto& plan = p.of.plan;
  const auto& l = plan.layout;
  append(to,
         {l.text(), whole(plan.micro_batch), fmt::format("ZeRO {}", static_cast<int>(plan.shard)),
          std::string(name_of(plan.recompute)), p.compute_type, whole(l.tensor), whole(l.pipeline),
          whole(l.virtual_pipeline), whole(l.context), whole(l.data), whole(l.expert), whole(l.expert_tensor),
          whole(static_cast<int>(plan.shard)), plan.sequence_parallel, whole(p.of.gpus), whole(l.gpus())});
}

void append_time(std::vector<value>& to, const evaluated_plan& p) {
  const auto& t = p.time;
  append(to, {p.of.step_s, t.tokens_per_s, t.tokens_per_s / static_cast<double>(p.of.gpus), t.mfu,
              t.mfu * 100, t.hfu, t.bubble_s / t.total_s * 100, exposed_s(t) / t.total_s * 100});
}

void append_memory(std::vector<value>& to, const evaluated_plan& p, double usable_bytes) {
  append(to, {p.of.memory_bytes, usable_bytes - p.of.memory_bytes, p.fits});
}

void append_breakdown(std::vector<value>& to, const evaluated_plan& p) {
  const auto& t = p.time;
  append(to, {t.product_s, t.attention_s, t.memory_bound_s, t.recomputation_s, t.tensor_exposed_s,
              t.context_exposed_s, t.expert_exposed_s, t.pipeline_exposed_s, t.bubble_s, t.data_exposed_s,
              t.optimizer_s, t.fixed_s, t.straggler_s});
  const auto& m = p.memory;
  append(to, {m.weights_bytes + m.expert_weights_bytes, m.gradients_bytes + m.expert_gradients_bytes,
              m.optimizer_bytes + m.expert_optimizer_bytes,
              m.activations_bytes + m.embedding_activations_bytes + m.logits_bytes,
              m.workspace_bytes + m.communication_bytes + m.context_bytes + m.fragmentation_bytes});
}

}  // namespace

double exposed_s(const step_time& t) {
  return t.tensor_exposed_s + t.context_exposed_s + t.expert_exposed_s + t.pipeline_exposed_s +
         t.data_exposed_s;
}

std::vector<report::field> plan_fields(bool priced) {
  std::vector<report::field> f{{"layout", "layout"},
                               {"micro_batch", "µbatch", unit::count},
                               {"sharding", "shard"},
                               {"recompute", "recompute"},
                               {"compute_type", "type"}};
  for (const auto* key : {"tensor", "pipeline", "virtual_pipeline", "context", "data", "expert",
                          "expert_tensor", "zero", "sequence_parallel"})
    f.push_back({key, ""});
  f.push_back({"gpus", "GPUs", unit::count});
  f.push_back({"gpus_used", ""});
  f.push_back({"step_s", "step", unit::seconds});
  f.push_back({"tokens_per_s", "tokens/s", unit::rate});
  f.push_back({"tokens_per_s_per_gpu", ""});
  f.push_back({"mfu", ""});
  f.push_back({"mfu_pct", "MFU", unit::percent});
  f.push_back({"hfu", ""});
  f.push_back({"bubble_pct", "bubble", unit::percent});
  f.push_back({"exposed_pct", "exposed", unit::percent});
  f.push_back({"memory_bytes", "memory", unit::bytes});
  f.push_back({"headroom_bytes", "left", unit::bytes});
  f.push_back({"fits", ""});
  for (const auto* key : {"product_s", "attention_s", "memory_bound_s", "recomputation_s", "tensor_exposed_s",
                          "context_exposed_s", "expert_exposed_s", "pipeline_exposed_s", "bubble_s",
                          "data_exposed_s", "optimizer_s", "fixed_s", "straggler_s"})
    f.push_back({std::string("breakdown.") + key, ""});
  for (const auto* key :
       {"weights_bytes", "gradients_bytes", "optimizer_bytes", "activations_bytes", "other_bytes"})
    f.push_back({std::string("memory.") + key, ""});
  f.push_back({"usd_per_million_tokens", priced ? "$/Mtoken" : "", unit::dollars});
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
