// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/kv_cache_page.hpp>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

#include "page_values.hpp"

namespace ridge::plan_report {
namespace {

using report::unit;
using report::value;

std::string grouped_digits(std::int64_t n) { return format_grouped(n); }

std::vector<std::string> all_warnings(const kv_cache_answer& a) {
  auto all = a.model.doubts;
  all.insert(all.end(), a.cache.warnings.begin(), a.cache.warnings.end());
  return all;
}

bool spread(const plan::parallel_layout& l) { return l.gpus() > 1; }

std::string name_of(const plan::model_shape& m) {
  return m.name.empty() ? fmt::format("{} layers", m.layers()) : m.name;
}

std::string title_of(const kv_cache_answer& a) {
  const auto& q = a.question;
  auto text =
      fmt::format("KV cache of {}: {} {} of {} tokens in {}", name_of(a.model), grouped_digits(q.batch),
                  q.batch == 1 ? "sequence" : "sequences", grouped_digits(q.tokens), q.format.name);
  if (spread(q.layout)) text += fmt::format(", {}", q.layout.text());
  if (q.layout.data_parallel_attention) text += ", data-parallel attention";
  return text;
}

void add_facts(report::document& d, const kv_cache_answer& a) {
  const auto& q = a.question;
  const auto warnings = all_warnings(a);
  d.facts = {{"model", a.model.name.empty() ? value() : value(a.model.name)},
             {"layers", a.model.layers()},
             {"tokens", q.tokens},
             {"batch", q.batch},
             {"dtype", std::string(q.format.name)},
             {"bytes_per_element", plain(q.format.bytes_per_element)},
             {"tp", std::int64_t{q.layout.tensor}},
             {"pp", std::int64_t{q.layout.pipeline}},
             {"cp", std::int64_t{q.layout.context}},
             {"dp_attention", q.layout.data_parallel_attention},
             {"block_tokens", q.block_tokens},
             {"overhead", plain(q.overhead)},
             {"warning", warnings.empty() ? value() : value(join(warnings, "; "))}};
  if (a.fit) {
    d.facts.emplace_back("gpu", a.gpu);
    d.facts.emplace_back("engine", std::string(plan::name_of(a.engine->engine)));
    d.facts.emplace_back("utilization", a.engine->share);
    d.facts.emplace_back("fits", a.fit->fits);
  }
}

report::row line(const std::string& label, double all, double of_gpu, bool gpu) {
  return {.values = {label, bytes_text(all), gpu ? value(bytes_text(of_gpu)) : value()}};
}

// Only shown in text; JSON and CSV have the figures.
report::sheet answer_sheet(const kv_cache_answer& a) {
  const auto& c = a.cache;
  const bool gpu = spread(a.question.layout);
  report::sheet s{.fields = {{"what", gpu ? "bytes" : " "},
                             {"all", gpu ? "once" : "bytes", unit::text},
                             {"gpu", gpu ? "per GPU" : ""}}};
  s.rows.push_back(line("the batch", c.total_bytes, c.total_bytes_per_gpu, gpu));
  if (a.question.block_tokens > 0 || a.question.overhead > 0)
    s.rows.push_back(line("allocated (blocks, overhead)", c.allocated_bytes, c.allocated_bytes_per_gpu, gpu));
  s.rows.push_back(line("one sequence", c.sequence_bytes, 0, false));
  s.rows.push_back(line("per token, all layers", c.bytes_per_token, c.bytes_per_token_per_gpu, gpu));
  if (c.fixed_bytes_per_sequence > 0) {
    s.rows.push_back(line("per token, once windows are full", c.growth_bytes_per_token,
                          c.growth_bytes_per_token_per_gpu, gpu));
    s.rows.push_back(
        line("constant per sequence", c.fixed_bytes_per_sequence, c.fixed_bytes_per_sequence_per_gpu, gpu));
  }
  if (a.grouped) {
    s.rows.push_back(
        line("for comparison, with 8 key-value heads of 128: the batch", a.grouped->total_bytes, 0, false));
    s.rows.push_back(line("    per token, all layers", a.grouped->bytes_per_token, 0, false));
  }
  return s;
}

report::sheet parts_sheet(const kv_cache_answer& a) {
  report::sheet s{.key = "parts",
                  .title = "What layers keep",
                  .fields = {{"what", "what"},
                             {"layers", "layers", unit::count},
                             {"row_bytes", "per row", unit::bytes},
                             {"window", "window", unit::count},
                             {"tokens_per_row", ""},
                             {"fixed_bytes", "fixed", unit::bytes}}};
  for (const auto& p : a.cache.parts)
    s.rows.push_back({.values = {p.content, p.layers, p.row_bytes > 0 ? plain(p.row_bytes) : value(),
                                 p.window > 0 ? value(p.window) : value(), p.tokens_per_row,
                                 p.fixed_bytes > 0 ? plain(p.fixed_bytes) : value()}});
  return s;
}

report::sheet budget_sheet(const kv_cache_answer& a) {
  report::sheet s{
      .key = "budget",
      .title = fmt::format("{} on {}, per GPU", plan::name_of(a.engine->engine), a.gpu),
      .fields = {{"what", "what"}, {"bytes", "bytes", unit::bytes}, {"why", "why"}, {"flag", "flag"}}};
  for (const auto& step : a.fit->budget.steps)
    s.rows.push_back({.values = {step.item, plain(step.bytes), step.why, step.flag}});
  return s;
}

std::string verdict(const kv_cache_answer& a) {
  const auto& f = *a.fit;
  if (f.budget.lacking_bytes > 0)
    return fmt::format("does not fit: {} are missing before there is any cache",
                       bytes_text(f.budget.lacking_bytes));
  return fmt::format("{}: {} of {} per GPU", f.fits ? "fits" : "does not fit",
                     bytes_text(a.cache.allocated_bytes_per_gpu), bytes_text(f.budget.bytes));
}

report::sheet fit_sheet(const kv_cache_answer& a) {
  const auto& f = *a.fit;
  report::sheet s{.fields = {{"what", "capacity"}, {"value", " "}}};
  const auto add = [&](const std::string& label, const std::string& text) {
    s.rows.push_back({.values = {label, text}});
  };
  add("this batch", verdict(a));
  add("blocks, tokens",
      fmt::format("{}, {}", grouped_digits(f.capacity.blocks), grouped_digits(f.capacity.tokens)));
  add("sequences of this length at a time", fmt::format("{:.2f}", f.capacity.concurrency));
  add("largest batch of this length", grouped_digits(f.most_sequences));
  add("longest sequences of this batch", fmt::format("{} tokens", grouped_digits(f.longest_tokens)));
  add("share of memory this batch needs",
      f.share_needed > 1 ? "more than there is" : fmt::format("{:.3f}", f.share_needed));
  add("tensor ranks this batch needs",
      f.tensor_ranks_needed == 0 ? "more than 64" : fmt::format("{}", f.tensor_ranks_needed));
  return s;
}

plan::figure comparison(const plan::kv_cache& grouped, const char* id, const char* label, double bytes) {
  auto f = *plan::find(grouped.derivation, "bytes_per_token");
  f.id = id;
  f.label = label;
  f.value = bytes;
  f.basis = plan::basis::assumed;
  f.source = "the common choice: 8 key-value heads of 128";
  return f;
}

}  // namespace

plan::derivation kv_cache_derivation(const kv_cache_answer& a) {
  auto all = a.cache.derivation;
  if (a.grouped) {
    all.push_back(comparison(*a.grouped, "grouped_query_bytes_per_token", "With 8 key-value heads: one token",
                             a.grouped->bytes_per_token));
    all.push_back(comparison(*a.grouped, "grouped_query_total_bytes", "With 8 key-value heads: the batch",
                             a.grouped->total_bytes));
  }
  if (a.fit) all.insert(all.end(), a.fit->derivation.begin(), a.fit->derivation.end());
  return all;
}

report::document kv_cache_page(const kv_cache_answer& a) {
  report::document d{.schema = "ridge.plan.kv-cache/1", .title = title_of(a)};
  add_facts(d, a);
  d.sheets = {answer_sheet(a), parts_sheet(a)};
  if (a.fit) {
    d.sheets.push_back(budget_sheet(a));
    d.sheets.push_back(fit_sheet(a));
    d.notes.push_back(
        "activations, graphs and context are estimates unless given; --explain lists every input");
  }
  for (const auto& w : all_warnings(a)) d.notes.push_back("warning: " + w);
  return d;
}

}  // namespace ridge::plan_report
