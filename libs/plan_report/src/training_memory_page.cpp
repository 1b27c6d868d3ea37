// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/plan_report/memory_page.hpp>

#include "page_values.hpp"

namespace ridge::plan_report {
namespace {

using plan::train::rank_memory;
using report::unit;
using report::value;

std::vector<rank_memory>::const_iterator fullest(const training_memory_answer& a) {
  return std::ranges::max_element(a.stages, {}, &rank_memory::total_bytes);
}

std::string title_of(const training_memory_answer& a) {
  return fmt::format("Training {} on {} x {}", a.job.model.name, a.plan.layout.gpus(), a.gpu);
}

// As `ridge plan parallelism` says it.
std::string settings_text(const training_memory_answer& a) {
  return fmt::format("{}: {}", a.job.compute_type, text_of(a.settings));
}

// Only shown in text.
report::sheet verdict_sheet(const training_memory_answer& a) {
  const double need = fullest(a)->total_bytes();
  return {.rows = {{}},
          .prose = {fmt::format("{}: {} of {} on the fullest rank, {:.0f} %",
                                need <= a.capacity_bytes ? "fits" : "does not fit", bytes_text(need),
                                bytes_text(a.capacity_bytes), 100 * need / a.capacity_bytes),
                    fmt::format("{}, sequences of {}", a.plan.text(), format_grouped(a.job.sequence)),
                    "memory in " + settings_text(a)}};
}

void add_facts(report::document& d, const training_memory_answer& a) {
  const auto worst = fullest(a);
  const auto& l = a.plan.layout;
  const double need = worst->total_bytes();
  d.facts = {{"mode", std::string("train")},
             {"model", a.job.model.name},
             {"gpu", a.gpu},
             {"gpus", l.gpus()},
             {"fits", need <= a.capacity_bytes},
             {"worst_rank_bytes", whole_bytes(need)},
             {"capacity_bytes", whole_bytes(a.capacity_bytes)},
             {"spare_bytes", whole_bytes(a.capacity_bytes - need)},
             {"worst_stage", std::int64_t{worst - a.stages.begin()}},
             {"tp", std::int64_t{l.tensor}},
             {"pp", std::int64_t{l.pipeline}},
             {"vp", std::int64_t{l.virtual_pipeline}},
             {"cp", std::int64_t{l.context}},
             {"dp", std::int64_t{l.data}},
             {"ep", std::int64_t{l.expert}},
             {"etp", std::int64_t{l.expert_tensor}},
             {"micro_batch", std::int64_t{a.plan.micro_batch}},
             {"global_batch", a.job.global_batch},
             {"sequence", a.job.sequence},
             {"zero", static_cast<std::int64_t>(a.plan.shard)},
             {"schedule", std::string(name_of(a.plan.schedule))},
             {"recompute", std::string(name_of(a.plan.recompute))},
             {"optimizer", std::string(name_of(a.settings.optimizer))},
             {"compute_type", a.job.compute_type},
             {"memory_settings", settings_text(a)},
             {"warning", a.job.model.doubts.empty() ? value() : value(join(a.job.model.doubts, "; "))}};
}

double expert_bytes(const rank_memory& m) {
  return m.expert_weights_bytes + m.expert_gradients_bytes + m.expert_optimizer_bytes;
}

report::sheet ranks_sheet(const training_memory_answer& a) {
  const bool experts = a.job.model.has_experts();
  report::sheet s{.key = "ranks",
                  .title = "A rank of each stage",
                  .fields = {{"stage", "stage", unit::count},
                             {"weights_bytes", "weights", unit::bytes},
                             {"gradients_bytes", "gradients", unit::bytes},
                             {"optimizer_bytes", "optimizer", unit::bytes},
                             {"experts_bytes", experts ? "experts" : "", unit::bytes},
                             {"expert_weights_bytes", ""},
                             {"expert_gradients_bytes", ""},
                             {"expert_optimizer_bytes", ""},
                             {"activations_bytes", "activations", unit::bytes},
                             {"embedding_activations_bytes", ""},
                             {"logits_bytes", "logits", unit::bytes},
                             {"workspace_bytes", "workspace", unit::bytes},
                             {"communication_bytes", "buffers", unit::bytes},
                             {"context_bytes", "CUDA, NCCL", unit::bytes},
                             {"fragmentation_bytes", ""},
                             {"total_bytes", "total", unit::bytes},
                             {"share_pct", "of the GPU", unit::percent}}};
  const auto most = fullest(a);
  for (auto m = a.stages.begin(); m != a.stages.end(); ++m) {
    s.rows.push_back({.values = {std::int64_t{m - a.stages.begin()}, whole_bytes(m->weights_bytes),
                                 whole_bytes(m->gradients_bytes), whole_bytes(m->optimizer_bytes),
                                 whole_bytes(expert_bytes(*m)), whole_bytes(m->expert_weights_bytes),
                                 whole_bytes(m->expert_gradients_bytes),
                                 whole_bytes(m->expert_optimizer_bytes), whole_bytes(m->activations_bytes),
                                 whole_bytes(m->embedding_activations_bytes), whole_bytes(m->logits_bytes),
                                 whole_bytes(m->workspace_bytes), whole_bytes(m->communication_bytes),
                                 whole_bytes(m->context_bytes), whole_bytes(m->fragmentation_bytes),
                                 whole_bytes(m->total_bytes()), 100 * m->total_bytes() / a.capacity_bytes},
                      .look = m == most ? report::tone::strong : report::tone::plain});
  }
  return s;
}

report::sheet timeline_sheet(const training_memory_answer& a) {
  report::sheet s{.key = "timeline",
                  .title = fmt::format("In the course of a step, stage {}", fullest(a) - a.stages.begin()),
                  .fields = {{"phase", "phase"},
                             {"states_bytes", "states", unit::bytes},
                             {"activations_bytes", "activations", unit::bytes},
                             {"temporary_bytes", "temporary", unit::bytes},
                             {"fixed_bytes", "CUDA, NCCL, lost", unit::bytes},
                             {"total_bytes", "total", unit::bytes}}};
  for (const auto& p : a.timeline)
    s.rows.push_back({.values = {p.name, whole_bytes(p.states_bytes), whole_bytes(p.activations_bytes),
                                 whole_bytes(p.temporary_bytes), whole_bytes(p.fixed_bytes),
                                 whole_bytes(p.total_bytes())}});
  return s;
}

report::sheet advice_sheet(const training_memory_answer& a) {
  report::sheet s{.key = "advice",
                  .title = "What would help, the cheapest first; step time against now",
                  .fields = {{"change", "change"},
                             {"saved_bytes", "saves", unit::bytes},
                             {"remaining_bytes", "then needs", unit::bytes},
                             {"fits", "fits"},
                             {"more_time_pct", "step time", unit::percent},
                             {"gpus", "GPUs", unit::count},
                             {"caution", "check"}}};
  for (const auto& one : a.advice)
    s.rows.push_back({.values = {one.change, whole_bytes(one.saved_bytes), whole_bytes(one.remaining_bytes),
                                 one.fits, 100 * one.more_time, one.plan.layout.gpus(), one.caution}});
  return s;
}

}  // namespace

report::document training_memory_page(const training_memory_answer& a) {
  report::document d{.schema = "ridge.plan.memory/1", .title = title_of(a)};
  add_facts(d, a);
  d.sheets = {verdict_sheet(a), ranks_sheet(a), advice_sheet(a), timeline_sheet(a)};
  for (const auto& doubt : a.job.model.doubts) d.notes.push_back(doubt);
  return d;
}

}  // namespace ridge::plan_report
