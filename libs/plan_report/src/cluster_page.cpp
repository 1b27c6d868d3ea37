// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/cluster_page.hpp>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "page_values.hpp"

namespace ridge::plan_report {
namespace {

using report::sheet;
using report::unit;
using report::value;

constexpr double to_ms = 1000;

report::row choice_row(const plan::cluster_choice& c) {
  return {.values = {c.gpu, std::int64_t{c.gpus_per_replica}, std::int64_t{c.replicas}, c.gpus,
                     real_or_empty(c.usd_per_hour), real_or_empty(c.usd_per_mtok),
                     to_ms * c.peak.ttft_quantile_s, to_ms * c.peak.tpot_quantile_s, c.max_requests_per_s,
                     std::string(name_of(c.limit)), 100 * c.utilization, real_or_empty(c.power_w),
                     real_or_empty(c.joules_per_token), c.peak.running, 100 * c.peak.prefill_load,
                     c.kv_tokens}};
}

std::vector<report::field> choice_fields() {
  return {{"gpu", "GPU"},
          {"gpus_per_replica", "TP", unit::count},
          {"replicas", "repl.", unit::count},
          {"gpus", "GPUs", unit::count},
          {"usd_per_hour", "per hour", unit::dollars},
          {"usd_per_mtok", "a Mtok", unit::dollars},
          {"ttft_ms", "TTFT ms", unit::number},
          {"tpot_ms", "TPOT ms", unit::number},
          {"max_requests_per_s", "req/s", unit::number},
          {"limit", "limit"},
          {"utilization_pct", "", unit::percent},
          {"power_w", "power", unit::watts},
          {"joules_per_token", "", unit::joules},
          {"running", "", unit::number},
          {"prefill_load_pct", "", unit::percent},
          {"kv_tokens", ""}};
}

sheet choices_sheet(const cluster_view& v) {
  sheet made{.key = "choices", .fields = choice_fields()};
  for (const auto& c : v.answer->choices) made.rows.push_back(choice_row(c));
  made.empty = "no GPU serves this within the objectives";
  return made;
}

sheet rejected_sheet(const cluster_view& v) {
  sheet made{
      .key = "rejected",
      .title = "Rejected",
      .fields = {
          {"gpu", "GPU"}, {"gpus_per_replica", "TP", unit::count}, {"limit", "limit"}, {"why", "why"}}};
  for (const auto& c : v.answer->rejected)
    made.rows.push_back(
        {.values = {c.gpu, std::int64_t{c.gpus_per_replica}, std::string(name_of(c.limit)), c.rejected}});
  return made;
}

sheet simulated_sheet(const cluster_view& v) {
  sheet made{.key = "simulated",
             .title = "The first choices simulated, busiest hour, requests dealt out at random",
             .fields = {{"gpu", "GPU"},
                        {"gpus_per_replica", "TP", unit::count},
                        {"requests", "requests", unit::count},
                        {"ttft_ms", "TTFT ms", unit::number},
                        {"closed_ttft_ms", "closed form", unit::number},
                        {"tpot_ms", "TPOT ms", unit::number},
                        {"closed_tpot_ms", "closed form", unit::number},
                        {"preemptions", "preempted", unit::count},
                        {"saturated"},
                        {"met", "objectives met"}}};
  for (std::size_t i = 0; i < v.simulated.size(); ++i) {
    const auto& s = v.simulated[i];
    const auto& c = v.answer->choices[i];
    made.rows.push_back(
        {.values = {c.gpu, std::int64_t{c.gpus_per_replica}, s.requests, to_ms * s.ttft_quantile_s,
                    to_ms * c.peak.ttft_quantile_s, to_ms * s.tpot_quantile_s, to_ms * c.peak.tpot_quantile_s,
                    s.preemptions, s.saturated, s.met}});
  }
  return made;
}

std::string prompts_of(const plan::mixed_pool& pool, bool last) {
  if (last) return "longer ones";
  return fmt::format("up to {:.0f} tokens{}", pool.longest_input,
                     pool.splits_length ? ", the longest by share" : "");
}

std::string mix_title(const cluster_view& v) {
  if (v.mix->pools.size() == 1) return "No mix of these kinds is cheaper than one of them";
  const auto single =
      v.answer->choices.empty() || !v.answer->choices.front().usd_per_hour
          ? std::string("no single kind serves all")
          : fmt::format("the best single kind {}",
                        report::shown(*v.answer->choices.front().usd_per_hour, unit::dollars));
  return fmt::format("The cheapest mix, {} per hour; {}; simulated: {}",
                     report::shown(v.mix->usd_per_hour, unit::dollars), single,
                     v.mix_simulated.met ? "objectives met" : "OBJECTIVES NOT MET");
}

sheet mix_sheet(const cluster_view& v) {
  sheet made{.key = "mix",
             .title = mix_title(v),
             .fields = {{"prompts", "prompts"},
                        {"share_pct", "share", unit::percent},
                        {"gpu", "GPU"},
                        {"gpus_per_replica", "TP", unit::count},
                        {"replicas", "repl.", unit::count},
                        {"gpus", "GPUs", unit::count},
                        {"usd_per_hour", "per hour", unit::dollars},
                        {"ttft_ms", "TTFT ms", unit::number},
                        {"tpot_ms", "TPOT ms", unit::number}}};
  const auto& pools = v.mix->pools;
  for (const auto& pool : pools) {
    const auto& c = pool.choice;
    made.rows.push_back({.values = {prompts_of(pool, &pool == &pools.back() && pools.size() > 1),
                                    100 * (pool.highest_quantile - pool.lowest_quantile), c.gpu,
                                    std::int64_t{c.gpus_per_replica}, std::int64_t{c.replicas}, c.gpus,
                                    real_or_empty(c.usd_per_hour), to_ms * c.peak.ttft_quantile_s,
                                    to_ms * c.peak.tpot_quantile_s}});
  }
  return made;
}

sheet disaggregated_sheet(const cluster_view& v) {
  sheet made{.key = "disaggregated",
             .title = "Prefill and decode apart, found and judged by simulation",
             .fields = {{"prefill_gpu", "prefill"},
                        {"prefill_tp", "TP", unit::count},
                        {"prefill_replicas", "repl.", unit::count},
                        {"decode_gpu", "decode"},
                        {"decode_tp", "TP", unit::count},
                        {"decode_replicas", "repl.", unit::count},
                        {"gpus", "GPUs", unit::count},
                        {"usd_per_hour", "per hour", unit::dollars},
                        {"ttft_ms", "TTFT ms", unit::number},
                        {"tpot_ms", "TPOT ms", unit::number},
                        {"met", "objectives met"}}};
  for (const auto& c : *v.disaggregated) {
    const auto &p = v.offers[c.prefill], &d = v.offers[c.decode];
    made.rows.push_back({.values = {p.gpu, std::int64_t{p.gpus}, std::int64_t{c.prefill_replicas}, d.gpu,
                                    std::int64_t{d.gpus}, std::int64_t{c.decode_replicas}, c.gpus,
                                    real_or_empty(c.usd_per_hour), to_ms * c.simulated.ttft_quantile_s,
                                    to_ms * c.simulated.tpot_quantile_s, c.simulated.met}});
  }
  made.empty = "no layouts within the GPUs keep the objectives";
  return made;
}

void add_mix_facts(report::document& d, const cluster_view& v) {
  d.facts.emplace_back("mix_usd_per_hour", v.mix->usd_per_hour);
  d.facts.emplace_back("mix_simulated_requests", v.mix_simulated.requests);
  d.facts.emplace_back("mix_ttft_ms", to_ms * v.mix_simulated.ttft_quantile_s);
  d.facts.emplace_back("mix_tpot_ms", to_ms * v.mix_simulated.tpot_quantile_s);
  d.facts.emplace_back("mix_met", v.mix_simulated.met);
}

std::string title_of(const cluster_view& v) {
  const auto load = fmt::format("{:g} requests per second of {}", v.load->requests_per_s, v.model);
  if (v.answer->choices.empty()) return fmt::format("{}: no choice", load);
  const auto& c = v.answer->choices.front();
  return fmt::format(
      "{}: {} {}{}", load, c.gpus, c.gpu,
      c.usd_per_hour ? fmt::format(", {} per hour", report::shown(*c.usd_per_hour, unit::dollars)) : "");
}

void add_facts(report::document& d, const cluster_view& v) {
  d.facts = {{"model", v.model},
             {"requests_per_s", v.load->requests_per_s},
             {"peak_factor", v.load->peak_factor},
             {"ttft_objective_ms", to_ms * v.slo->ttft_s},
             {"tpot_objective_ms", to_ms * v.slo->tpot_s},
             {"quantile", v.slo->quantile},
             {"headroom", v.policy->headroom},
             {"spare_replicas", std::int64_t{v.policy->spare_replicas}}};
  if (v.answer->choices.empty()) return;
  const auto& c = v.answer->choices.front();
  d.facts.emplace_back("gpu", c.gpu);
  d.facts.emplace_back("gpus_per_replica", std::int64_t{c.gpus_per_replica});
}

}  // namespace

report::document cluster_page(const cluster_view& v) {
  report::document d{.schema = "ridge.plan.cluster/1", .title = title_of(v)};
  add_facts(d, v);
  d.sheets = {choices_sheet(v)};
  if (v.mix) d.sheets.push_back(mix_sheet(v)), add_mix_facts(d, v);
  if (v.disaggregated) d.sheets.push_back(disaggregated_sheet(v));
  d.sheets.push_back(simulated_sheet(v));
  d.sheets.push_back(rejected_sheet(v));
  if (v.mix && v.mix->pools.size() > 1)
    d.notes.push_back(
        fmt::format("The mix: a router deals prompts out by their length. Of {} simulated requests TTFT is "
                    "{:.4g} ms and TPOT "
                    "{:.4g} ms at the quantile.",
                    v.mix_simulated.requests, to_ms * v.mix_simulated.ttft_quantile_s,
                    to_ms * v.mix_simulated.tpot_quantile_s));
  d.notes.push_back(fmt::format(
      "TTFT and TPOT: {:g} % of requests in the busiest hour ({:g} times the mean), {} spare, {:.0f} % "
      "headroom. req/s: "
      "the greatest rate of a replica, and what limits it.",
      100 * v.slo->quantile, v.load->peak_factor,
      v.policy->spare_replicas == 1 ? "one replica" : fmt::format("{} replicas", v.policy->spare_replicas),
      100 * v.policy->headroom));
  d.notes.push_back(fmt::format(
      "A closed form over the times of steps, with errors of up to {:.0f} % in both directions; {}",
      100 * plan::cluster_band,
      v.simulated.empty() ? "--simulate adds figures of the simulator."
                          : "figures of the simulator are shown beside it."));
  return d;
}

}  // namespace ridge::plan_report
