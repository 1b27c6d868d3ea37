// SPDX-License-Identifier: Apache-2.0
#include "rules/rules.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/units.hpp>

#include "rules/rules_series.hpp"

namespace ridge::trace {
namespace {

struct need_test {
  std::string_view name;
  bool (*holds)(const evidence&);
};

template <class Holds>
bool any_trace(const evidence& e, Holds holds) {
  return std::ranges::any_of(e.traces, holds);
}

// What a need asks of each trace by itself: findings in a trace without it are left out.
struct trace_need {
  std::string_view name;
  bool (*holds)(const trace_evidence&);
};

// With more graph launches than this share without kernels, idle time cannot be believed; from fewer works
// than this, in a trace without steps, no share of a window follows.
constexpr double opaque_share = 0.05;
constexpr std::uint64_t enough_works = 50;

constexpr trace_need trace_needs[] = {
    {"graph_kernels",
     [](const trace_evidence& t) {
       return static_cast<double>(t.launches.opaque_graphs) <=
              opaque_share * static_cast<double>(t.quality.has.graph_launches);
     }},
    {"all_operators", [](const trace_evidence& t) { return t.quality.has.removed_ops == 0; }},
    {"enough_works",
     [](const trace_evidence& t) {
       return t.quality.has.works >= enough_works || t.steps.steps.size() >= 2;
     }},
};

template <std::uint64_t trace_contents::*Count>
bool has_some(const evidence& e) {
  return any_trace(e, [](const trace_evidence& t) { return t.quality.has.*Count > 0; });
}

bool told_collectives(const evidence& e) {
  return e.communication &&
         std::ranges::any_of(e.communication->matched.instances, [](const auto& i) { return !i.heuristic; });
}

bool any_device(const evidence& e, bool (*holds)(const device_evidence&)) {
  return std::ranges::any_of(e.devices, holds);
}

template <std::optional<double> verdict_figures::*Figure>
bool knows(const evidence& e) {
  return std::ranges::any_of(e.kernels,
                             [](const judged_kernel& k) { return (k.verdict.figures.*Figure).has_value(); });
}

constexpr need_test need_tests[] = {
    {"device_work", [](const evidence& e) { return !e.devices.empty(); }},
    {"launches",
     [](const evidence& e) {
       return any_trace(e, [](const auto& t) {
         return t.quality.has.launched_works > 0 || t.quality.has.graph_launches > 0;
       });
     }},
    {"steps",
     [](const evidence& e) { return any_trace(e, [](const auto& t) { return t.steps.steps.size() >= 2; }); }},
    {"shapes", has_some<&trace_contents::shaped_ops>},
    {"models", [](const evidence& e) { return !e.kernels.empty(); }},
    {"overhead", has_some<&trace_contents::overheads>},
    {"collectives", told_collectives},
    {"several_ranks", [](const evidence& e) { return e.communication && e.communication->several_ranks; }},
    {"python", has_some<&trace_contents::python_frames>},
    {"peaks",
     [](const evidence& e) {
       return any_device(e, [](const auto& d) { return !d.peaks.name.empty(); }) || e.devices.empty();
     }},
    {"link_peak",
     [](const evidence& e) {
       return any_device(e, [](const auto& d) { return d.known && d.known->link_bytes_per_s > 0; });
     }},
    {"collective_peak",
     [](const evidence& e) {
       return any_device(e, [](const auto& d) { return d.known && d.known->bus_bytes_per_s > 0; });
     }},
    {"counters", has_some<&trace_contents::profiled_kernels>},
    {"arithmetic", knows<&verdict_figures::f>},
    {"footprint",
     [](const evidence& e) {
       return std::ranges::any_of(e.kernels, [](const judged_kernel& k) { return k.footprint > 0; });
     }},
    {"timeline_of_counters",
     [](const evidence& e) {
       return any_trace(e, [](const auto& t) {
         return std::ranges::any_of(t.counters, [](const auto& c) { return c.work != none; });
       });
     }},
    {"clocks",
     [](const evidence& e) { return has_series(e, clock_series) || has_series(e, throttle_series); }},
    {"health", [](const evidence& e) { return has_series(e, health_series); }},
    {"host_counters", [](const evidence& e) { return has_series(e, top_down_series); }},
    {"scheduling", [](const evidence& e) { return has_series(e, runnable_series); }},
    {"numa", [](const evidence& e) { return has_series(e, numa_series); }},
    {"baseline", [](const evidence& e) { return e.diff.has_value(); }},
};

}  // namespace

bool has(const trace_evidence& t, std::string_view need) {
  const auto at = std::ranges::find(trace_needs, need, &trace_need::name);
  return at == std::end(trace_needs) || at->holds(t);
}

bool has(const evidence& e, std::string_view need) {
  if (std::ranges::find(trace_needs, need, &trace_need::name) != std::end(trace_needs))
    return any_trace(e, [&](const trace_evidence& t) { return has(t, need); });
  const auto at = std::ranges::find(need_tests, need, &need_test::name);
  expects(at != std::end(need_tests), fmt::format("no test for the need {}", need));
  return at->holds(e);
}

std::vector<std::string> known_needs() {
  std::vector<std::string> names;
  for (const auto& t : need_tests) names.emplace_back(t.name);
  for (const auto& t : trace_needs) names.emplace_back(t.name);
  return names;
}

std::vector<bound_detector> all_detectors() {
  std::vector<bound_detector> all;
  for (const auto group :
       {trust_detectors(), idle_detectors(), copy_detectors(), communication_detectors(),
        operator_detectors(), counter_detectors(), kernel_detectors(), host_detectors(), program_detectors()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

std::string time_text(nanoseconds t) { return format_quantity(static_cast<double>(t) / 1e9, "s"); }

std::string share_text(double share) { return format_quantity(share, "1"); }

std::string bytes_text(double bytes) { return format_quantity(bytes, "B"); }

std::string rate_text(double bytes_per_s) { return format_quantity(bytes_per_s, "B/s"); }

std::string times_text(double ratio) { return fmt::format("{:.2f}", ratio); }

std::string short_name(std::string_view kernel) {
  constexpr std::size_t readable = 96;
  return kernel.size() <= readable ? std::string(kernel) : fmt::format("{}...", kernel.substr(0, readable));
}

candidate about(const device_evidence& d, const interval_set& ranges, nanoseconds at_most,
                std::string_view label) {
  candidate c;
  c.claims.push_back({.pool = d.pool, .ranges = ranges, .at_most_ns = at_most});
  const auto length = ranges.length_ns();
  evidence_row row{.description = std::string(label),
                   .value = static_cast<double>(length),
                   .unit = "ns",
                   .trace = d.trace,
                   .device = d.device};
  if (!ranges.empty()) row.range = ranges.span();
  c.rows.push_back(row);
  row.description = fmt::format("share of the window of {}", time_text(d.window.length_ns()));
  row.value = d.share(length);
  row.unit = "1";
  row.formula = "time / window";
  row.range.reset();
  c.rows.push_back(std::move(row));
  c.words["share"] = share_text(d.share(length));
  return c;
}

}  // namespace ridge::trace
