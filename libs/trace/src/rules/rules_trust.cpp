// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "rules/rules.hpp"

namespace ridge::trace {
namespace {

candidate doubt_of(std::uint32_t trace, std::string_view label, double value, std::string_view unit,
                   std::string_view formula = {}) {
  candidate c;
  c.rows.push_back({.description = std::string(label),
                    .value = value,
                    .unit = std::string(unit),
                    .formula = std::string(formula),
                    .trace = trace});
  return c;
}

template <class LookAt>
outcome each_trace(const evidence& e, LookAt look) {
  outcome out;
  for (std::uint32_t i = 0; i < e.traces.size(); ++i) look(i, e.traces[i], out.found);
  return out;
}

outcome t1_overhead(const evidence& e, const rule& r) {
  return each_trace(e, [&](std::uint32_t i, const trace_evidence& t, std::vector<candidate>& found) {
    const auto share = t.quality.overhead_share();
    if (share <= r.limit("note_share")) return;
    auto c = doubt_of(i, "the profiler's own work, of the window", share, "1", "overhead / window");
    c.alarm = share > r.limit("contaminated_share");
    c.words = {{"share", share_text(share)},
               {"overhead", time_text(t.quality.overhead_ns)},
               {"recording", time_text(t.quality.window.length_ns())},
               {"verdict",
                c.alarm ? "its times are not to be believed" : "times are a little longer than without it"}};
    found.push_back(std::move(c));
  });
}

outcome t2_opaque_graphs(const evidence& e, const rule& r) {
  return each_trace(e, [&](std::uint32_t i, const trace_evidence& t, std::vector<candidate>& found) {
    const auto all = t.quality.has.graph_launches, lost = t.launches.opaque_graphs;
    const double share = all > 0 ? static_cast<double>(lost) / static_cast<double>(all) : 0;
    if (share <= r.limit("lost_share")) return;
    auto c = doubt_of(i, "graph launches without a kernel", share, "1", "without / all");
    c.words = {{"launches", std::to_string(lost)}, {"all", std::to_string(all)}};
    found.push_back(std::move(c));
  });
}

// A rule that compares the count of one flaw of the input with a limit or with a share.
template <class Limit>
outcome flawed(const evidence& e, flaw kind, std::string_view label, Limit limit) {
  return each_trace(e, [&](std::uint32_t i, const trace_evidence& t, std::vector<candidate>& found) {
    const auto n = t.source->quality.count(kind);
    if (static_cast<double>(n) <= limit(t)) return;
    auto c = doubt_of(i, label, static_cast<double>(n), "records");
    c.words = {{"records", std::to_string(n)}, {"all", std::to_string(t.quality.has.launched_works)}};
    found.push_back(std::move(c));
  });
}

outcome t3_foreign_clock(const evidence& e, const rule& r) {
  return flawed(e, flaw::foreign_clock, "records of another clock",
                [&](const auto&) { return r.limit("records"); });
}

outcome t4_before_launch(const evidence& e, const rule& r) {
  return flawed(e, flaw::launched_after_start, "works that begin before their launch",
                [&](const trace_evidence& t) {
                  return r.limit("share") * static_cast<double>(t.quality.has.launched_works);
                });
}

outcome t5_overflow(const evidence& e, const rule& r) {
  return flawed(e, flaw::overflowing_duration, "works whose duration cannot be",
                [&](const auto&) { return r.limit("records"); });
}

outcome t6_too_little(const evidence& e, const rule& r) {
  return each_trace(e, [&](std::uint32_t i, const trace_evidence& t, std::vector<candidate>& found) {
    const auto works = static_cast<double>(t.quality.has.works),
               steps = static_cast<double>(t.steps.steps.size());
    if (works == 0 || (works >= r.limit("works") && (steps == 0 || steps >= r.limit("steps")))) return;
    auto c = doubt_of(i, "works of devices", works, "works");
    c.alarm = false;
    c.words = {{"works", std::to_string(t.quality.has.works)},
               {"steps", steps > 0 ? std::to_string(t.steps.steps.size()) : "no marked"}};
    found.push_back(std::move(c));
  });
}

std::string losses_of(const trace_evidence& t, double unreadable_share) {
  const auto& q = t.source->quality;
  std::vector<std::string> lost;
  if (q.truncated()) lost.emplace_back("the file ends early");
  if (q.count(flaw::over_limit)) lost.emplace_back("a limit was reached and the rest not read");
  if (const auto n = q.count(flaw::dropped_records))
    lost.push_back(fmt::format("the profiler lost {} records", n));
  const auto bad = q.count(flaw::unreadable_event);
  if (static_cast<double>(bad) > unreadable_share * static_cast<double>(t.source->events.size()))
    lost.push_back(fmt::format("{} events cannot be read", bad));
  if (const auto n = t.quality.has.removed_ops)
    lost.push_back(
        fmt::format("of {} operators, by their numbers, {} were taken out", t.quality.has.ops + n, n));
  return fmt::format("{}", fmt::join(lost, "; "));
}

outcome t7_lost(const evidence& e, const rule& r) {
  return each_trace(e, [&](std::uint32_t i, const trace_evidence& t, std::vector<candidate>& found) {
    auto what = losses_of(t, r.limit("unreadable_share"));
    if (what.empty()) return;
    auto c = doubt_of(i, what, t.quality.factor, "1", "what is left of confidence");
    c.words = {{"what", std::move(what)}};
    found.push_back(std::move(c));
  });
}

// Compares the first step with the median of the others.
outcome t10_warm_up(const evidence& e, const rule& r) {
  return each_trace(e, [&](std::uint32_t i, const trace_evidence& t, std::vector<candidate>& found) {
    if (!t.stability_of_all || !t.stability_of_all->first_over_median) return;
    const auto ratio = *t.stability_of_all->first_over_median;
    if (t.steps.steps.size() < 3 || ratio <= r.limit("ratio")) return;
    const auto first = t.steps.steps.front().window;
    auto c = doubt_of(i, "first step / median of the others", ratio, "times");
    c.alarm = false;
    c.rows.front().range = first;
    c.words = {
        {"first", time_text(first.length_ns())},
        {"ratio", times_text(ratio)},
        {"median", time_text(static_cast<nanoseconds>(static_cast<double>(first.length_ns()) / ratio))}};
    found.push_back(std::move(c));
  });
}

constexpr bound_detector trust_rules[] = {
    {"T1", t1_overhead}, {"T2", t2_opaque_graphs}, {"T3", t3_foreign_clock}, {"T4", t4_before_launch},
    {"T5", t5_overflow}, {"T6", t6_too_little},    {"T7", t7_lost},          {"T10", t10_warm_up}};

}  // namespace

std::span<const bound_detector> trust_detectors() { return trust_rules; }

}  // namespace ridge::trace
