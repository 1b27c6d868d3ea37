// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/serve_page.hpp>

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "serve_tiers.hpp"

namespace ridge::plan_report {
namespace {

using plan::serve::latency_summary;
using plan::serve::objective_result;
using plan::serve::serving_summary;
using report::sheet;
using report::unit;
using report::value;

std::string seconds_text(double s) { return format_quantity(s, "s"); }
std::string percent_text(double share) { return fmt::format("{:.3g} %", 100 * share); }
value known(double v) { return v > 0 ? value(v) : value(); }

std::string load_verdict_of(const plan::serve::saturation& s, std::uint32_t clients) {
  if (clients > 0) return fmt::format("a closed loop of {} clients, which cannot saturate", clients);
  if (!s.tested) return "saturation not tested: " + s.evidence;
  if (s.growing) return "saturated: requests come faster than they are served";
  return s.backlogged ? "saturated: a backlog of requests never goes" : "not saturated";
}

// Empty where something was served, or the run was stopped.
std::string failure_of(const serving_summary& s) {
  if (s.finished > 0 || s.requests == 0 || s.unfinished > 0) return {};
  if (s.too_long == s.requests) return "Serves nothing: the KV cache holds no request";
  if (s.too_long == 0) return "Serves nothing: every request is rejected";
  return fmt::format("Serves nothing: {} requests are too long for the KV cache, {} are rejected", s.too_long,
                     s.rejected);
}

std::string verdict_of(const serving_summary& s, std::uint32_t clients) {
  auto verdict = failure_of(s);
  if (!verdict.empty()) return verdict;
  if (!s.objectives.empty()) {
    const auto failed = std::ranges::count(s.objectives, false, &objective_result::met);
    verdict = failed == 0 ? "Meets its objectives"
                          : fmt::format("Fails {} of {} objectives", failed, s.objectives.size());
  }
  auto load = load_verdict_of(s.saturated, clients);
  if (!verdict.empty()) return verdict + "; " + load;
  load.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(load.front())));
  return load;
}

void add_latency_facts(report::document& d, const std::string& key, const latency_summary& l) {
  const auto add = [&](const char* name, double s) {
    d.facts.emplace_back(key + "." + name, l.count > 0 ? value(s * 1e3) : value());
  };
  add("mean", l.mean_s), add("p50", l.p50_s), add("p90", l.p90_s), add("p95", l.p95_s);
  add("p99", l.p99_s), add("p99_9", l.p999_s), add("max", l.max_s);
}

value reuse_of(const serve_view& v) {
  if (!v.prefix_reuse) return {};
  return *v.prefix_reuse;
}

void add_facts(report::document& d, const serve_view& v) {
  const auto& s = *v.summary;
  d.facts = {{"fits", s.too_long < s.requests},
             {"service", v.service},
             {"workload", v.asked->source},
             {"requests", s.requests},
             {"finished", s.finished},
             {"rejected", s.rejected},
             {"too_long", s.too_long},
             {"unfinished", s.unfinished},
             {"restarts", s.restarts},
             {"skipped_rows", v.asked->skipped_rows},
             {"wall_s", v.run->wall_s},
             {"requests_per_wall_s",
              v.run->wall_s > 0 ? value(static_cast<double>(s.requests) / v.run->wall_s) : value()},
             {"simulated_s", s.duration_s},
             {"offered_requests_per_s", known(v.asked->clients > 0 ? 0 : v.asked->rate())}};
  add_latency_facts(d, "ttft_ms", s.ttft);
  add_latency_facts(d, "tpot_ms", s.tpot);
  add_latency_facts(d, "itl_ms", s.itl);
  add_latency_facts(d, "e2e_ms", s.e2e);
  add_latency_facts(d, "queue_ms", s.queue);
  const std::vector<std::pair<std::string, value>> rest{
      {"throughput_tokens_per_s", s.throughput_tokens_per_s},
      {"total_tokens_per_s", s.total_tokens_per_s},
      {"throughput_requests_per_s", s.requests_per_s},
      {"goodput", s.objectives.empty() ? value() : value(s.goodput_requests_per_s)},
      {"good_share", s.objectives.empty() ? value() : value(s.good_share)},
      {"objectives_met", s.objectives.empty() ? value() : value(s.objectives_met)},
      {"saturated", s.saturated.tested ? value(s.saturated.saturated) : value()},
      {"queue_grows", s.saturated.tested ? value(s.saturated.growing) : value()},
      {"mean_waiting", s.saturated.tested ? value(s.saturated.mean_waiting) : value()},
      {"mean_running", s.saturated.tested ? value(s.saturated.mean_running) : value()},
      {"saturation_evidence", s.saturated.evidence},
      {"queue_slope_per_s", s.saturated.queue_slope_per_s},
      {"drain_s", s.saturated.drain_s},
      {"prefix_hit_rate", s.prefix_hit_rate},
      {"prefix_reuse_rate", reuse_of(v)},
      {"adapter_loads", s.adapter_uses > 0 ? value(s.adapter_loads) : value()},
      {"preemptions", s.preemptions},
      {"preempted_requests", s.preempted_requests},
      {"utilization", s.utilization},
      {"kv_use_mean", s.kv_use_mean},
      {"kv_use_peak", s.kv_use_peak},
      {"peak_waiting", s.peak_waiting},
      {"fairness", s.tenants.empty() ? value() : value(s.fairness)},
      {"gpus", std::int64_t{v.gpus}},
      {"cost_usd", known(s.cost_usd)},
      {"usd_per_mtok_output", known(s.usd_per_million_output)},
      {"energy_j", known(s.energy_j)},
      {"stopped", v.run->stopped},
      {"step_times", v.times}};
  d.facts.insert(d.facts.end(), rest.begin(), rest.end());
}

void add_max_rate_facts(report::document& d, const plan::serve::max_rate_result& m) {
  d.facts.emplace_back("max_rate_requests_per_s", m.rate);
  d.facts.emplace_back("max_rate_low", m.low);
  d.facts.emplace_back("max_rate_high", m.high);
  d.facts.emplace_back("max_rate_probes", static_cast<std::int64_t>(m.probes.size()));
  d.facts.emplace_back("max_rate_unbounded", m.unbounded);
}

sheet latency_sheet(const serving_summary& s) {
  sheet made{.key = "latencies",
             .title = "Latency",
             .fields = {{"metric", "of each request"},
                        {"mean_s", "mean", unit::seconds},
                        {"p50_s", "p50", unit::seconds},
                        {"p90_s", "p90", unit::seconds},
                        {"p95_s", "p95", unit::seconds},
                        {"p99_s", "p99", unit::seconds},
                        {"p99_9_s", "p99.9", unit::seconds},
                        {"max_s", "max", unit::seconds}},
             .empty = "no request finished"};
  const auto add = [&](const char* name, const latency_summary& l) {
    if (l.count > 0)
      made.rows.push_back(
          {.values = {name, l.mean_s, l.p50_s, l.p90_s, l.p95_s, l.p99_s, l.p999_s, l.max_s}});
  };
  add("time to first token", s.ttft);
  add("  of it in the queue", s.queue);
  add("time per output token", s.tpot);
  add("between tokens", s.itl);
  add("whole request", s.e2e);
  return made;
}

// Between which values the measured means are expected.
sheet bands_sheet(const serve_view& v) {
  sheet made{.key = "bands",
             .title = "Where the measured mean lies with 90 % probability",
             .fields = {{"metric", "mean of"},
                        {"low_s", "from", unit::seconds},
                        {"predicted_s", "predicted", unit::seconds},
                        {"high_s", "to", unit::seconds},
                        {"coverage_pct", "held of deployments left out", unit::percent}}};
  const auto add = [&](const char* name, const latency_summary& l, const plan::serve::prediction_band& band) {
    if (l.count == 0) return;
    report::value coverage{};
    if (band.coverage > 0) coverage = 100 * band.coverage;
    made.rows.push_back({.values = {name, band.low * l.mean_s, l.mean_s, band.high * l.mean_s, coverage}});
  };
  const auto& s = *v.summary;
  add("time to first token", s.ttft, v.bands.ttft);
  add("time per output token", s.tpot, v.bands.tpot);
  add("whole request", s.e2e, v.bands.e2e);
  return made;
}

sheet objectives_sheet(const serving_summary& s) {
  sheet made{.key = "objectives",
             .title = "Objectives",
             .fields = {{"objective", "objective"},
                        {"value_s", "value", unit::seconds},
                        {"limit_s", "limit", unit::seconds},
                        {"good_share_pct", "of all requests below", unit::percent},
                        {"met", "met"}}};
  for (const auto& r : s.objectives)
    made.rows.push_back(
        {.values = {r.objective.text(), r.value_s, r.objective.limit_s, 100 * r.good_share, r.met},
         .look = r.met ? report::tone::good : report::tone::bad});
  return made;
}

// The main results as lines of text.
sheet load_sheet(const serve_view& v) {
  const auto& s = *v.summary;
  sheet made{.key = "", .title = "Load", .rows = {{}}, .single = true};
  const auto add = [&](const std::string& label, std::string text) {
    if (text.empty()) return;
    made.fields.push_back({.key = label, .header = label});
    made.rows.front().values.emplace_back(std::move(text));
  };
  add("throughput", fmt::format("{:.4g} requests and {:.4g} answer tokens per second ({:.4g} with prompts)",
                                s.requests_per_s, s.throughput_tokens_per_s, s.total_tokens_per_s));
  if (!s.objectives.empty())
    add("goodput", fmt::format("{:.4g} requests per second below every limit ({} of all)",
                               s.goodput_requests_per_s, percent_text(s.good_share)));
  add("queue", s.saturated.evidence);
  if (s.saturated.drain_s > 0)
    add("drain",
        fmt::format("{} from the last arrival to the last token", seconds_text(s.saturated.drain_s)));
  add("use",
      fmt::format("{} of the time computing; KV cache {} on average, {} at most", percent_text(s.utilization),
                  percent_text(s.kv_use_mean), percent_text(s.kv_use_peak)));
  if (s.prompt_lookups > 0 && v.asked->hash_tokens > 0)
    add("prefix cache",
        fmt::format("{} of prompt tokens found; {:.2f} % came before, which a cache without bounds finds",
                    percent_text(s.prefix_hit_rate), 100 * v.prefix_reuse.value_or(0)));
  if (s.adapter_uses > 0)
    add("adapters", fmt::format("{} of {} admissions loaded theirs ({})", s.adapter_loads, s.adapter_uses,
                                percent_text(static_cast<double>(s.adapter_loads) /
                                             static_cast<double>(s.adapter_uses))));
  if (s.preemptions > 0)
    add("preemptions",
        fmt::format("{} of {} requests, {} in all", s.preempted_requests, s.requests, s.preemptions));
  if (s.restarts > 0) add("restarts", fmt::format("{} by failed replicas", s.restarts));
  if (s.rejected + s.too_long > 0)
    add("turned away",
        fmt::format("{} by admission, {} longer than the context or the cache", s.rejected, s.too_long));
  if (v.run->transfers > 0)
    add("transfers",
        fmt::format("{}, {}; {} exposed and {} waiting for the link each, on average", v.run->transfers,
                    format_quantity(v.run->transferred_bytes, "B"),
                    seconds_text(v.run->exposed_transfer_s / static_cast<double>(v.run->transfers)),
                    seconds_text(v.run->transfer_wait_s / static_cast<double>(v.run->transfers))));
  if (s.cost_usd > 0)
    add("cost", fmt::format("{} for {} GPU{} at ${:.4g} per hour: ${:.4g} per million answer tokens",
                            report::shown(s.cost_usd, unit::dollars), v.gpus, v.gpus == 1 ? "" : "s",
                            v.usd_per_gpu_hour, s.usd_per_million_output));
  if (s.energy_j > 0 && s.output_tokens > 0)
    add("energy", fmt::format("{}, {} an answer token", format_quantity(s.energy_j, "J"),
                              format_quantity(s.energy_j / static_cast<double>(s.output_tokens), "J")));
  if (v.max_rate != nullptr)
    add("maximum rate",
        v.max_rate->unbounded
            ? fmt::format("above {:.4g} requests per second, the highest tried", v.max_rate->rate)
            : fmt::format("{:.4g} requests per second (95 %: {:.4g} to {:.4g}; {} samples, {} simulations)",
                          v.max_rate->rate, v.max_rate->low, v.max_rate->high, v.max_rate->samples.size(),
                          v.max_rate->probes.size()));
  // A line of text and not a note, because it differs from run to run; JSON has it as wall_s.
  add("simulated", fmt::format("{} in {} on one thread: {:.3g} requests per second",
                               seconds_text(s.duration_s), seconds_text(v.run->wall_s),
                               v.run->wall_s > 0 ? static_cast<double>(s.requests) / v.run->wall_s : 0));
  return made;
}

sheet replicas_sheet(const serve_view& v) {
  sheet made{.key = "replicas",
             .title = v.run->replicas.size() > 1 && v.run->replicas.size() <= 64 ? "Replicas" : "",
             .fields = {{"replica", "replica"},
                        {"pool", "pool"},
                        {"requests", "requests", unit::count},
                        {"busy_s", "", unit::seconds},
                        {"up_s", "up", unit::seconds},
                        {"busy_pct", "computing", unit::percent},
                        {"steps", "steps", unit::count},
                        {"kv_mean_pct", "KV mean", unit::percent},
                        {"kv_peak_pct", "KV peak", unit::percent},
                        {"peak_waiting", "most waiting", unit::number},
                        {"preemptions", "preempted", unit::count},
                        {"failures", "failures", unit::count}}};
  if (made.title.empty()) {
    for (auto& f : made.fields) f.header.clear();
  }
  for (std::size_t i = 0; i < v.run->replicas.size(); ++i) {
    const auto& u = v.run->replicas[i];
    made.rows.push_back(
        {.values = {static_cast<std::int64_t>(i), u.pool, u.requests, u.busy_s, u.up_s,
                    u.up_s > 0 ? value(100 * u.busy_s / u.up_s) : value(), u.steps, 100 * u.mean_kv_use,
                    100 * u.peak_kv_use, u.peak_waiting, u.preemptions, u.failures}});
  }
  return made;
}

sheet tenants_sheet(const serving_summary& s) {
  sheet made{.key = "tenants",
             .title = "Tenants",
             .fields = {{"tenant", "tenant"},
                        {"requests", "requests", unit::count},
                        {"finished", "finished", unit::count},
                        {"tokens_per_s", "tokens/s", unit::number},
                        {"speed_tokens_per_s", "tokens/s per request", unit::number},
                        {"ttft_p95_s", "TTFT p95", unit::seconds}}};
  for (const auto& t : s.tenants)
    made.rows.push_back(
        {.values = {t.name, t.requests, t.finished, t.tokens_per_s, t.speed_tokens_per_s, t.ttft_p95_s}});
  if (!s.tenants.empty())
    made.notes.push_back(fmt::format("Jain's index of their requests' speeds: {:.3f}", s.fairness));
  return made;
}

sheet against_sheet(const serve_view& v) {
  sheet made{.key = "against",
             .title = "Against the measured run",
             .fields = {{"metric", "metric"},
                        {"measured_mean_s", "measured mean", unit::seconds},
                        {"simulated_mean_s", "simulated", unit::seconds},
                        {"mean_error_pct", "error", unit::percent},
                        {"measured_p50_s", "measured p50", unit::seconds},
                        {"simulated_p50_s", "simulated", unit::seconds},
                        {"measured_p99_s", "measured p99", unit::seconds},
                        {"simulated_p99_s", "simulated", unit::seconds},
                        {"correlation", "correlation", unit::number}}};
  if (v.against == nullptr) return made;
  for (const auto& l : v.against->lines)
    made.rows.push_back(
        {.values = {l.metric, l.measured_mean_s, l.simulated_mean_s, 100 * l.mean_error, l.measured_p50_s,
                    l.simulated_p50_s, l.measured_p99_s, l.simulated_p99_s, l.correlation}});
  return made;
}

sheet timeline_sheet(const serve_view& v) {
  sheet made{.key = "timeline", .fields = {{"t_s"}, {"waiting"}, {"running"}, {"kv_use"}, {"replicas"}}};
  for (const auto& p : v.run->timeline)
    made.rows.push_back({.values = {p.t_s, p.waiting, p.running, p.kv_use, p.replicas}});
  return made;
}

}  // namespace

report::document serve_page(const serve_view& v) {
  report::document d{.schema = "ridge.plan.serve/1", .title = verdict_of(*v.summary, v.asked->clients)};
  add_facts(d, v);
  if (v.max_rate != nullptr) add_max_rate_facts(d, *v.max_rate);
  sheet about{.rows = {{}}, .prose = {fmt::format("{}\n{}", v.service, v.asked->source)}};
  d.sheets = {std::move(about),
              latency_sheet(*v.summary),
              bands_sheet(v),
              objectives_sheet(*v.summary),
              load_sheet(v),
              replicas_sheet(v),
              tenants_sheet(*v.summary),
              against_sheet(v)};
  add_tiers(d, v);
  if (v.show_timeline) d.sheets.push_back(timeline_sheet(v));
  d.notes = v.notes;
  d.notes.push_back(fmt::format("Step times: {}.", v.times));
  if (v.run->stopped)
    d.notes.emplace_back("The simulation was stopped before its end: figures are of what had finished.");
  return d;
}

report::chart serve_chart(const serve_view& v) {
  report::chart c{.title = verdict_of(*v.summary, v.asked->clients),
                  .subtitle = v.service,
                  .x = {.label = "time", .unit = "s"},
                  .y = {.label = "requests"}};
  report::chart_series waiting{.name = "waiting", .mark = report::chart_mark::steps},
      running{.name = "running", .mark = report::chart_mark::steps};
  for (const auto& p : v.run->timeline) {
    waiting.points.push_back({p.t_s, p.waiting});
    running.points.push_back({p.t_s, p.running});
  }
  c.series = {std::move(running), std::move(waiting)};
  return c;
}

}  // namespace ridge::plan_report
