// SPDX-License-Identifier: Apache-2.0
#include "serve_tiers.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::plan_report {
namespace {

using plan::serve::serving_summary;
using report::sheet;
using report::unit;
using report::value;

double percent_of(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

sheet tiers_sheet(const serve_view& v) {
  sheet made{.key = "tiers",
             .title = "Tiers of the KV cache",
             .fields = {{"tier", "tier"},
                        {"blocks_per_engine", "blocks an engine", unit::count},
                        {"hit_pct", "of prompt tokens found", unit::percent},
                        {"loaded_bytes", "loaded", unit::bytes}}};
  const auto& s = *v.summary;
  const auto& use = s.tiers;
  const auto all = static_cast<double>(s.prompt_lookups);
  const auto below = static_cast<double>(use.host_tokens + use.disk_tokens);
  const auto& engine = *v.tiers;
  const auto add = [&](const char* name, std::uint64_t blocks, double tokens, value loaded) {
    made.rows.push_back(
        {.values = {name, static_cast<std::int64_t>(blocks), percent_of(tokens, all), std::move(loaded)}});
  };
  add("GPU", engine.blocks, static_cast<double>(s.cached_tokens) - below, {});
  if (engine.host.blocks > 0)
    add("CPU memory", engine.host.blocks, static_cast<double>(use.host_tokens),
        use.link_bytes - use.disk_bytes);
  if (engine.disk.blocks > 0)
    add("SSD", engine.disk.blocks, static_cast<double>(use.disk_tokens), use.disk_bytes);
  if (use.loads > 0)
    made.notes.push_back(
        fmt::format("{} prompts loaded blocks, each in {} on average; the engine computed others meanwhile.",
                    use.loads, format_quantity(use.load_s / static_cast<double>(use.loads), "s")));
  if (use.recomputations > 0)
    made.notes.push_back(fmt::format(
        "{} prompts computed again what a tier had, because that was sooner ({:.3g} % of all prompt "
        "tokens).",
        use.recomputations, percent_of(static_cast<double>(use.recomputed_tokens), all)));
  if (v.asked->hash_tokens == 0)
    made.notes.emplace_back(
        "The requests do not say what their prompts share, so nothing is found anywhere.");
  return made;
}

sheet benefit_sheet(const serve_view& v) {
  sheet made{.key = "without_tiers",
             .title = "With and without these tiers",
             .fields = {{"metric", "metric"},
                        {"with", "with", unit::number},
                        {"without", "without", unit::number},
                        {"change_pct", "change", unit::percent}}};
  const auto add = [&](const char* name, double with, double without) {
    made.rows.push_back(
        {.values = {name, with, without, without > 0 ? value(100 * (with / without - 1)) : value()}});
  };
  const auto &a = *v.summary, &b = *v.without_tiers;
  add("TTFT mean, ms", 1e3 * a.ttft.mean_s, 1e3 * b.ttft.mean_s);
  add("TTFT p95, ms", 1e3 * a.ttft.p95_s, 1e3 * b.ttft.p95_s);
  add("TPOT mean, ms", 1e3 * a.tpot.mean_s, 1e3 * b.tpot.mean_s);
  add("requests per second", a.requests_per_s, b.requests_per_s);
  if (!a.objectives.empty())
    add("goodput, requests per second", a.goodput_requests_per_s, b.goodput_requests_per_s);
  add("time computing, %", 100 * a.utilization, 100 * b.utilization);
  return made;
}

}  // namespace

void add_tiers(report::document& d, const serve_view& v) {
  if (v.tiers == nullptr) return;
  const auto& s = *v.summary;
  const auto& use = s.tiers;
  const auto all = static_cast<double>(s.prompt_lookups);
  const auto share = [&](std::uint64_t tokens) { return percent_of(static_cast<double>(tokens), all) / 100; };
  const std::vector<std::pair<std::string, value>> facts{
      {"tier_cpu_hit_rate", share(use.host_tokens)},
      {"tier_ssd_hit_rate", share(use.disk_tokens)},
      {"tier_recomputed_rate", share(use.recomputed_tokens)},
      {"tier_loads", static_cast<std::int64_t>(use.loads)},
      {"tier_recomputations", static_cast<std::int64_t>(use.recomputations)},
      {"tier_link_bytes", use.link_bytes},
      {"tier_ssd_bytes", use.disk_bytes},
      {"tier_load_s", use.load_s}};
  d.facts.insert(d.facts.end(), facts.begin(), facts.end());
  d.sheets.push_back(tiers_sheet(v));
  if (v.without_tiers != nullptr) d.sheets.push_back(benefit_sheet(v));
}

}  // namespace ridge::plan_report
