// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/plan_report/memory_page.hpp>

#include "page_values.hpp"

namespace ridge::plan_report {
namespace {

using report::unit;
using report::value;

double need_of(const inference_memory_answer& a) {
  return a.ranks[a.capacity.stage].fixed_bytes() + a.capacity.needed_bytes;
}

std::string format_of(const inference_memory_answer& a) {
  return a.setup.weight_format.empty() ? a.setup.model.weight_format : a.setup.weight_format;
}

std::string title_of(const inference_memory_answer& a) {
  return fmt::format("Serving {} in {} on {} x {}", a.setup.model.name, format_of(a), a.setup.layout.gpus(),
                     a.gpu);
}

bool keeps_cache(const inference_memory_answer& a) {
  return a.setup.model.stack != plan::model_stack::encoder;
}

std::string verdict(const inference_memory_answer& a) {
  const auto& c = a.capacity;
  if (!keeps_cache(a))
    return fmt::format("{}: an encoder keeps no KV cache; {} are left beside weights and a full step",
                       c.lacking_bytes > 0 ? "does not fit" : "fits", bytes_text(c.budget_bytes));
  if (c.lacking_bytes > 0)
    return fmt::format("does not fit: {} are missing before there is any cache", bytes_text(c.lacking_bytes));
  return fmt::format("{} sequences of {} tokens {}: they need {} of cache on the fullest rank, {} are left",
                     format_grouped(a.load.sequences), format_grouped(a.load.sequence_tokens),
                     c.fits ? "fit" : "do not fit", bytes_text(c.needed_bytes), bytes_text(c.budget_bytes));
}

// Only shown in text.
report::sheet verdict_sheet(const inference_memory_answer& a) {
  const auto& c = a.capacity;
  report::sheet s{.rows = {{}}, .prose = {verdict(a)}};
  if (c.lacking_bytes == 0 && keeps_cache(a))
    s.prose.push_back(fmt::format("a replica holds {} tokens, {} such sequences", format_grouped(c.tokens),
                                  format_grouped(c.sequences)));
  if (const auto layout = a.setup.layout.text(); a.setup.layout.gpus() > 1) s.prose.push_back(layout);
  return s;
}

void add_facts(report::document& d, const inference_memory_answer& a) {
  const auto& c = a.capacity;
  const auto& l = a.setup.layout;
  const auto rates = plan::rates_of(a.ranks[c.stage].cache);
  d.facts = {{"mode", std::string("infer")},
             {"model", a.setup.model.name},
             {"gpu", a.gpu},
             {"gpus", l.gpus()},
             {"fits", c.fits},
             {"worst_rank_bytes", whole_bytes(need_of(a))},
             {"capacity_bytes", whole_bytes(a.capacity_bytes)},
             {"spare_bytes", whole_bytes(c.spare_bytes())},
             {"worst_stage", static_cast<std::int64_t>(c.stage)},
             {"kv_budget_bytes", whole_bytes(c.budget_bytes)},
             {"kv_needed_bytes", whole_bytes(c.needed_bytes)},
             {"kv_tokens", c.tokens},
             {"kv_sequences", c.sequences},
             {"kv_bytes_per_token", rates.bytes_per_token},
             {"lacking_bytes", whole_bytes(c.lacking_bytes)},
             {"engine", std::string(plan::name_of(a.setup.engine))},
             {"weights_dtype", format_of(a)},
             {"kv_dtype", a.setup.kv_format},
             {"batch", a.load.sequences},
             {"tokens", a.load.sequence_tokens},
             {"tp", std::int64_t{l.tensor}},
             {"pp", std::int64_t{l.pipeline}},
             {"cp", std::int64_t{l.context}},
             {"dp", std::int64_t{l.data}},
             {"ep", std::int64_t{l.expert}},
             {"etp", std::int64_t{l.expert_tensor}},
             {"dp_attention", l.data_parallel_attention},
             {"warning", a.setup.model.doubts.empty() ? value() : value(join(a.setup.model.doubts, "; "))}};
}

report::sheet ranks_sheet(const inference_memory_answer& a) {
  const bool experts = a.setup.model.has_experts(),
             encoder = a.setup.model.encoder.layers > 0 || a.setup.model.vision.known(),
             adapters = a.setup.adapters.count > 0;
  report::sheet s{.key = "ranks",
                  .title = "A rank of each stage",
                  .fields = {{"stage", "stage", unit::count},
                             {"weights_bytes", "weights", unit::bytes},
                             {"embedding_bytes", ""},
                             {"head_bytes", ""},
                             {"attention_bytes", "attention", unit::bytes},
                             {"feed_forward_bytes", "dense", unit::bytes},
                             {"experts_bytes", experts ? "experts" : "", unit::bytes},
                             {"encoder_bytes", encoder ? "encoder" : "", unit::bytes},
                             {"adapters_bytes", adapters ? "adapters" : "", unit::bytes},
                             {"other_weights_bytes", ""},
                             {"activations_bytes", "activations", unit::bytes},
                             {"forward_bytes", ""},
                             {"sampler_bytes", ""},
                             {"cuda_graph_bytes", "graphs", unit::bytes},
                             {"runtime_bytes", ""},
                             {"context_bytes", "CUDA, NCCL", unit::bytes},
                             {"fixed_bytes", "all but cache", unit::bytes},
                             {"share_pct", "of the GPU", unit::percent},
                             {"kv_bytes_per_token", "cache per token", unit::bytes}}};
  for (std::size_t i = 0; i < a.ranks.size(); ++i) {
    const auto& r = a.ranks[i];
    s.rows.push_back(
        {.values = {static_cast<std::int64_t>(i), whole_bytes(r.weights_bytes()),
                    whole_bytes(r.embedding_bytes), whole_bytes(r.head_bytes), whole_bytes(r.attention_bytes),
                    whole_bytes(r.feed_forward_bytes), whole_bytes(r.experts_bytes),
                    whole_bytes(r.encoder_bytes), whole_bytes(r.adapters_bytes), whole_bytes(r.other_bytes),
                    whole_bytes(r.activations_bytes()), whole_bytes(r.forward_bytes),
                    whole_bytes(r.sampler_bytes), whole_bytes(r.cuda_graph_bytes),
                    whole_bytes(r.runtime_bytes), whole_bytes(r.context_bytes), whole_bytes(r.fixed_bytes()),
                    100 * r.fixed_bytes() / a.capacity_bytes, plan::rates_of(r.cache).bytes_per_token}});
  }
  return s;
}

report::sheet advice_sheet(const inference_memory_answer& a) {
  report::sheet s{
      .key = "advice",
      .title = "What would help, on as few GPUs as can be; bytes that a decoding step reads, against now",
      .fields = {{"change", "change"},
                 {"saved_bytes", "frees", unit::bytes},
                 {"spare_bytes", "then spare", unit::bytes},
                 {"fits", "fits"},
                 {"gpus", "GPUs", unit::count},
                 {"more_reading_pct", "decoding reads", unit::percent},
                 {"caution", "check"}}};
  for (const auto& one : a.advice)
    s.rows.push_back({.values = {one.change, whole_bytes(one.saved_bytes), whole_bytes(one.spare_bytes),
                                 one.fits, one.setup.layout.gpus(), 100 * one.more_reading, one.caution}});
  return s;
}

report::sheet budget_sheet(const inference_memory_answer& a) {
  const auto steps = plan::budget_steps(a.setup, a.ranks[a.capacity.stage], a.capacity_bytes);
  report::sheet s{
      .key = "budget",
      .title = fmt::format("{}'s rule, stage {}", plan::name_of(a.setup.engine), a.capacity.stage),
      .fields = {{"what", "what"}, {"bytes", "bytes", unit::bytes}, {"why", "why"}, {"flag", "flag"}}};
  for (const auto& step : steps)
    s.rows.push_back({.values = {step.item, whole_bytes(step.bytes), step.why, step.flag}});
  s.rows.push_back({.values = {"cache", whole_bytes(a.capacity.budget_bytes), "what is left", ""}});
  return s;
}

}  // namespace

report::document inference_memory_page(const inference_memory_answer& a) {
  report::document d{.schema = "ridge.plan.memory/1", .title = title_of(a)};
  add_facts(d, a);
  d.sheets = {verdict_sheet(a), ranks_sheet(a), budget_sheet(a), advice_sheet(a)};
  for (const auto& doubt : a.setup.model.doubts) d.notes.push_back(doubt);
  if (const auto fine = check_request(a.setup.model, a.load.sequence_tokens); !fine)
    d.notes.push_back("warning: " + fine.why().message);
  return d;
}

}  // namespace ridge::plan_report
