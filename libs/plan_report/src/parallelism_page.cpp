// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/parallelism_page.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

#include "plan_rows.hpp"
#include "rejection_sheets.hpp"

namespace ridge::plan_report {
namespace {

using namespace plan::train;
using report::unit;

report::sheet plans_sheet(std::string key, std::string title, const std::vector<evaluated_plan>& plans,
                          const parallelism_question& q, const parallelism_answer& a) {
  const bool priced = q.dollars_per_gpu_hour > 0;
  report::sheet s{
      .key = std::move(key), .title = std::move(title), .fields = plan_fields(columns_for(plans, priced))};
  for (const auto& p : plans) s.rows.push_back(plan_row(p, a.usable_bytes, priced));
  return s;
}

// The plans of the front that text shows: each needs a tenth less memory than the one before, or fewer GPUs.
std::vector<std::string> front_lines(const std::vector<evaluated_plan>& front) {
  constexpr std::size_t most = 16;
  std::vector<std::string> lines;
  double memory = 0;
  std::int64_t gpus = 0;
  for (const auto& p : front) {
    if (p.scored.gpus == gpus && p.scored.memory_bytes > memory * 0.9) continue;
    memory = p.scored.memory_bytes;
    gpus = p.scored.gpus;
    if (lines.size() < most)
      lines.push_back(fmt::format(
          "  {:>8}  {:>8}  {}  {}", format_quantity(p.scored.step_s, "s"), format_quantity(memory, "B"),
          front.front().scored.gpus == front.back().scored.gpus ? "" : fmt::format("{:>7} GPUs", gpus),
          p.scored.plan.text()));
  }
  return lines;
}

report::sheet front_sheet(const parallelism_question& q, const parallelism_answer& a) {
  auto s = plans_sheet(
      "front", fmt::format("Pareto front of time, memory and GPUs: {} plans, some of them", a.front.size()),
      a.front, q, a);
  s.prose = front_lines(a.front);
  return s;
}

// The parts of the step time of the first plan, largest first, without those below a thousandth.
report::sheet seconds_sheet(const evaluated_plan& p) {
  const auto& t = p.time;
  std::vector<std::pair<std::string, double>> parts{
      {"matrix products", t.product_s},
      {"attention core", t.attention_s},
      {"memory-bound operators", t.memory_bound_s},
      {"recomputation", t.recomputation_s},
      {"tensor-parallel exchange, exposed", t.tensor_exposed_s},
      {"context-parallel exchange, exposed", t.context_exposed_s},
      {"expert exchange, exposed", t.expert_exposed_s},
      {"pipeline exchange, exposed", t.pipeline_exposed_s},
      {"pipeline bubble", t.bubble_s},
      {"data-parallel exchange, exposed", t.data_exposed_s},
      {"optimizer", t.optimizer_s},
      {"fixed", t.fixed_s},
      {"waiting for the slowest GPU", t.straggler_s}};
  std::ranges::stable_sort(parts, std::greater{}, &std::pair<std::string, double>::second);
  report::sheet s{
      .key = "best_step",
      .title = "Where the first plan's step goes",
      .fields = {{"part", "part"}, {"s", "time", unit::seconds}, {"pct", "share", unit::percent}}};
  for (const auto& [name, seconds] : parts) {
    if (seconds > t.total_s * 1e-3) s.rows.push_back({.values = {name, seconds, seconds / t.total_s * 100}});
  }
  return s;
}

std::string title_of(const parallelism_question& q, const parallelism_answer& a) {
  if (a.plans.empty()) {
    if (!a.nearest) return fmt::format("No layout of {} divides so", q.model.name);
    return fmt::format("{} does not fit: the least any plan needs is {} per GPU, {} are available",
                       q.model.name, format_quantity(a.nearest->scored.memory_bytes, "B"),
                       format_quantity(a.usable_bytes, "B"));
  }
  const auto& p = a.plans.front();
  return fmt::format("{} on {} {}: {}; {} per step, {} tokens/s, {:.1f} % MFU", q.model.name,
                     format_grouped(p.scored.gpus), q.gpu.name, p.scored.plan.text(),
                     format_quantity(p.scored.step_s, "s"),
                     format_grouped(static_cast<long long>(p.time.tokens_per_s)), p.time.mfu * 100);
}

// What `ridge plan memory train` says of its settings, for each compute type.
std::string memory_settings_of(const parallelism_question& q) {
  std::vector<std::string> all;
  for (const auto& type : q.compute_types)
    all.push_back(fmt::format("{}: {}", type, text_of(settings_for(type, q.formats, q.memory))));
  return join(all, "; ");
}

void add_facts(report::document& d, const parallelism_question& q, const parallelism_answer& a) {
  d.facts = {{"model", q.model.name},
             {"gpu", q.gpu.name},
             {"global_batch", a.job.global_batch},
             {"sequence", a.job.sequence},
             {"objective", std::string(name_of(q.objective))},
             {"usable_bytes", a.usable_bytes},
             {"memory_settings", memory_settings_of(q)},
             {"evaluated", a.search.evaluated},
             {"timed", a.search.timed},
             {"wall_s", a.search.wall_s},
             {"threads", static_cast<std::int64_t>(a.search.threads)},
             {"stopped", a.search.stopped},
             {"fits", !a.plans.empty()}};
}

void add_notes(report::document& d, const parallelism_question& q, const parallelism_answer& a) {
  d.notes.push_back(
      fmt::format("{} plans evaluated in {} by {} threads, {} of them fit; batch {} x {} tokens",
                  format_grouped(a.search.evaluated), format_quantity(a.search.wall_s, "s"), a.search.threads,
                  format_grouped(a.search.timed), a.job.global_batch, a.job.sequence));
  d.notes.push_back(fmt::format("memory in {}", memory_settings_of(q)));
  if (!q.coefficients.source.empty())
    d.notes.push_back(
        fmt::format("step times by {}, about ±{:.0f} %", q.coefficients.source, q.coefficients.band * 100));
  if (!q.price_source.empty())
    d.notes.push_back(
        fmt::format("price: {:.2f} USD per GPU-hour, {}", q.dollars_per_gpu_hour, q.price_source));
  if (a.search.stopped) d.notes.emplace_back("stopped before the end: only what was finished is shown");
}

report::sheet run_sheet(const evaluated_plan& p, bool priced) {
  const auto& r = *p.run;
  report::sheet s{.key = "run", .title = "The whole run with the first plan", .single = true};
  const auto say = [&](std::string key, std::string header, report::value v, unit shown_unit) {
    s.fields.push_back({std::move(key), std::move(header), shown_unit});
    if (s.rows.empty()) s.rows.emplace_back();
    s.rows.front().values.push_back(std::move(v));
  };
  say("wall_days", "days", r.wall_s / 86400, unit::number);
  say("steps", "steps", static_cast<std::int64_t>(r.steps), unit::count);
  say("goodput_pct", "effective time", p.kept.share * 100, unit::percent);
  say("checkpoint_pct", "lost to saving", p.kept.checkpoint_share * 100, unit::percent);
  say("rework_pct", "lost to computing again", p.kept.rework_share * 100, unit::percent);
  say("restart_pct", "lost to restarting", p.kept.restart_share * 100, unit::percent);
  say("checkpoint_interval_s", "between checkpoints", p.kept.interval_s, unit::seconds);
  say("failures", "failures expected", r.failures, unit::number);
  say("gpu_hours", "GPU-hours", r.gpu_hours, unit::long_number);
  if (priced) say("usd", "cost", r.dollars, unit::dollars);
  if (r.energy_j > 0) say("energy_j", "energy at rated power", r.energy_j, unit::joules);
  return s;
}

}  // namespace

report::document parallelism_page(const parallelism_question& q, const parallelism_answer& a) {
  report::document d{.schema = "ridge.plan.parallelism/1", .title = title_of(q, a)};
  add_facts(d, q, a);
  d.sheets.push_back(plans_sheet("plans", "Plans, best first", a.plans, q, a));
  if (a.nearest) d.sheets.push_back(plans_sheet("nearest", "Nearest to fitting", {*a.nearest}, q, a));
  if (!a.plans.empty() || a.nearest)
    d.sheets.push_back(seconds_sheet(a.plans.empty() ? *a.nearest : a.plans[0]));
  if (!a.plans.empty() && a.plans[0].run)
    d.sheets.push_back(run_sheet(a.plans[0], q.dollars_per_gpu_hour > 0));
  d.sheets.push_back(limits_sheet(a));
  d.sheets.push_back(rejected_sheet(a));
  d.sheets.push_back(front_sheet(q, a));
  add_notes(d, q, a);
  return d;
}

}  // namespace ridge::plan_report
