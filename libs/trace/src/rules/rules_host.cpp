// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "rules/rules_idle.hpp"
#include "rules/rules_series.hpp"

namespace ridge::trace {
namespace {

std::int64_t mask(double value) { return static_cast<std::int64_t>(std::llround(value)); }

// Power cap 0x4, hardware slowdown 0x8, thermal 0x20 and 0x40, power brake 0x80 (NVML).
constexpr std::int64_t throttling = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

double share_of(std::span<const counter_value> values, auto holds) {
  const auto n = std::ranges::count_if(values, [&](const counter_value& v) { return holds(v.value); });
  return static_cast<double>(n) / static_cast<double>(values.size());
}

candidate of_series(const found_series& s, double value, std::string_view unit) {
  candidate c;
  c.subject = s.device >= 0 ? fmt::format("device {}", s.device) : std::string();
  c.rows.push_back({.description = std::string(s.name),
                    .value = value,
                    .unit = std::string(unit),
                    .trace = s.trace,
                    .device = s.device});
  return c;
}

outcome p1_throttled(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& s : series_named(e, throttle_series)) {
    const auto share = share_of(s.values, [](double v) { return (mask(v) & throttling) != 0; });
    if (share <= r.limit("samples")) continue;
    auto c = of_series(s, share, "1");
    c.words = {{"clock", "was held down"},
               {"reason", fmt::format("a reason for it stands in {} of samples", share_text(share))}};
    out.found.push_back(std::move(c));
  }
  if (!out.found.empty()) return out;
  for (const auto& s : series_named(e, clock_series)) {
    const auto most = std::ranges::max(s.values, {}, &counter_value::value).value;
    const auto low = share_of(s.values, [&](double v) { return v < r.limit("clock_share") * most; });
    if (most <= 0 || low <= r.limit("samples")) continue;
    const auto least = std::ranges::min(s.values, {}, &counter_value::value).value / most;
    auto c = of_series(s, least, "1");
    c.words = {{"clock", fmt::format("fell to {} of its highest", share_text(least))},
               {"reason", fmt::format("in {} of samples; why is not recorded", share_text(low))}};
    out.found.push_back(std::move(c));
  }
  return out;
}

outcome p2_regimes(const evidence& e, const rule& r) {
  outcome out;
  for (std::uint32_t i = 0; i < e.traces.size(); ++i) {
    const auto& s = e.traces[i].stability;
    if (!s || !s->bimodal || static_cast<double>(s->steps) < r.limit("count")) continue;
    const auto& two = *s->bimodal;
    const auto ratio = static_cast<double>(two.slow_median_ns) /
                       static_cast<double>(std::max<nanoseconds>(1, two.fast_median_ns));
    if (ratio < r.limit("ratio")) continue;
    const auto saved = static_cast<nanoseconds>(two.slow_count) * (two.slow_median_ns - two.fast_median_ns);
    candidate c;
    c.rows.push_back({.description = "slow / fast", .value = ratio, .unit = "times", .trace = i});
    c.words = {{"fast_count", std::to_string(two.fast_count)},
               {"fast", time_text(two.fast_median_ns)},
               {"slow_count", std::to_string(two.slow_count)},
               {"slow", time_text(two.slow_median_ns)},
               {"saved", time_text(saved)}};
    out.found.push_back(std::move(c));
  }
  return out;
}

outcome p3_errors(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& s : series_named(e, health_series)) {
    const auto rise = s.values.back().value - s.values.front().value;
    if (rise <= r.limit("rise")) continue;
    auto c = of_series(s, rise, "events");
    c.words["what"] = fmt::format("\"{}\" ({:g} more)", s.name, rise);
    out.found.push_back(std::move(c));
  }
  return out;
}

// Returns the time in which a thread is in a call or an operator, without its waits for the device. Named
// ranges and interpreter frames do not count, because they are open whatever the thread does.
nanoseconds busy_on(const trace_evidence& evidence, track_id thread, time_range window) {
  const auto& t = *evidence.source;
  const auto& track = t.tracks[thread];
  std::vector<time_range> open, waiting;
  for (event_id e = track.first; e < track.first + track.count; ++e) {
    const bool counts = t.events.kind[e] == category::api || t.events.kind[e] == category::op;
    if (counts && !t.name_of(e).starts_with("ProfilerStep"))  // an operator in old traces
      open.push_back({t.events.start_ns[e], t.events.end_ns(e)});
  }
  for (const auto& w : evidence.waits.waits)
    if (w.thread == thread) waiting.push_back(w.range);
  return interval_set(std::move(open)).without(interval_set(std::move(waiting))).within(window).length_ns();
}

outcome h1_one_thread(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& in = e.of(d);
    const auto thread = in.launches.busiest_thread;
    const auto idle = d.idle_time.length_ns();
    if (thread == none || d.share(idle) < r.limit("idle_share")) continue;
    const auto busy = static_cast<double>(busy_on(in, thread, d.host_window)) /
                      static_cast<double>(std::max<nanoseconds>(1, d.host_window.length_ns()));
    if (busy < r.limit("busy")) continue;
    const auto where = preparing_time(d, static_cast<nanoseconds>(r.limit("latency_ns")));
    const auto saved =
        d.outlook.known ? std::min(where.length_ns(), d.outlook.preparation_ns) : where.length_ns();
    auto c = about(d, where, saved, "idle while that thread prepares launches");
    c.words["busy"] = share_text(busy);
    c.words["idle"] = share_text(d.share(idle));
    c.words["where"] = has(e, "host_counters") ? "its counters are below"
                                               : "what limits the processor itself needs its counters";
    c.words["advice"] =
        mostly_captured(in)
            ? "Graphs launch most of it already: capture what is left, or do less per step beside "
              "them on that thread; then look at its code."
            : "Do less per step on that thread: graphs, compiled steps, fewer and larger "
              "operators; then look at its code.";
    out.found.push_back(std::move(c));
  }
  return out;
}

// A rule about the mean of a series of shares.
outcome mean_share(const evidence& e, series_names named, double least, std::string_view says,
                   const std::string& word) {
  outcome out;
  for (const auto& s : series_named(e, named)) {
    double sum = 0;
    for (const auto& v : s.values) sum += v.value;
    const auto mean = sum / static_cast<double>(s.values.size());
    if (mean <= least) continue;
    auto c = of_series(s, mean, "1");
    c.words[word] = fmt::format("{}{}", share_text(mean), says);
    out.found.push_back(std::move(c));
  }
  return out;
}

outcome h2_memory(const evidence& e, const rule& r) {
  return mean_share(e, top_down_series, r.limit("memory_bound"), " of its slots wait for memory", "what");
}

outcome h3_processor(const evidence& e, const rule& r) {
  return mean_share(e, runnable_series, r.limit("share"), "", "share");
}

outcome h5_node(const evidence& e, const rule& r) {
  return mean_share(e, numa_series, r.limit("remote_share"), " of memory accesses go to another node",
                    "what");
}

outcome h4_interpreter(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto where = idle_with(d, {idle_cause::python}).without(absent_time(d));
    const auto idle =
        d.outlook.known ? std::min(where.length_ns(), d.outlook.preparation_ns) : where.length_ns();
    const auto late = d.idle.of(idle_part::host_late).ns;
    if (idle == 0 || d.share(idle) < r.limit("share")) continue;
    const auto part = static_cast<double>(idle) / static_cast<double>(late);
    if (part < r.limit("python_share")) continue;
    auto c = about(d, where, idle, "idle while the interpreter runs");
    c.words["python"] = share_text(part);
    c.words["idle"] = time_text(idle);
    c.words["advice"] =
        mostly_captured(e.of(d))
            ? "Graphs launch most of it already: capture what is left, compile, vectorise, free "
              "loops from the interpreter."
            : "Compile, use graphs, vectorise, free loops from the interpreter.";
    out.found.push_back(std::move(c));
  }
  return out;
}

std::string signed_time(nanoseconds t) {
  return fmt::format("{}{}", t < 0 ? "-" : "+", time_text(std::abs(t)));
}

outcome d1_difference(const evidence& e, const rule& r) {
  outcome out;
  const auto& diff = *e.diff;
  const auto total = diff.total.delta_ns();
  const auto before = static_cast<double>(std::max<nanoseconds>(1, diff.total.before_ns));
  if (std::abs(static_cast<double>(total)) < r.limit("share") * before) return out;
  std::vector<std::string> causes;
  candidate c;
  for (int s = 0; s < diff_state_count; ++s) {
    const auto state = static_cast<diff_state>(s);
    const auto delta = diff.state(state).delta_ns();
    if (delta == 0) continue;
    causes.push_back(fmt::format("{} {}", name(state), signed_time(delta)));
    c.rows.push_back({.description = std::string(name(state)),
                      .value = static_cast<double>(delta),
                      .unit = "ns",
                      .formula = "after - before"});
  }
  c.alarm = total > 0;
  c.words = {
      {"total", fmt::format("{} ({})", signed_time(total), diff.per_step ? "per step" : "of the window")},
      {"causes", fmt::format("{}", fmt::join(causes, ", "))}};
  out.found.push_back(std::move(c));
  return out;
}

constexpr bound_detector host_rules[] = {{"P1", p1_throttled},   {"P2", p2_regimes}, {"P3", p3_errors},
                                         {"H1", h1_one_thread},  {"H2", h2_memory},  {"H3", h3_processor},
                                         {"H4", h4_interpreter}, {"H5", h5_node},    {"D1", d1_difference}};

}  // namespace

std::span<const bound_detector> host_detectors() { return host_rules; }

}  // namespace ridge::trace
