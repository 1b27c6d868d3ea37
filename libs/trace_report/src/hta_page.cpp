// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/trace/hta_differences.hpp>
#include <ridge/trace/hta_semantics.hpp>

#include "hta_sheets.hpp"
#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

// HTA prints microseconds.
value us(double ns) { return ns / 1000; }

sheet temporal_sheet(const trace::hta_figures& f) {
  const auto& t = f.temporal;
  const auto pct = [&](trace::nanoseconds ns) {
    return percent_of(static_cast<double>(ns), static_cast<double>(t.kernel_ns));
  };
  sheet made{.key = "temporal_breakdown",
             .title = "Temporal breakdown as HTA gives it",
             .fields = {{"idle_time(us)", "idle, µs", unit::number},
                        {"compute_time(us)", "compute, µs", unit::number},
                        {"non_compute_time(us)", "non-compute, µs", unit::number},
                        {"kernel_time(us)", "kernel time, µs", unit::number},
                        {"idle_time_pctg", "idle", unit::percent},
                        {"compute_time_pctg", "compute", unit::percent},
                        {"non_compute_time_pctg", "non-compute", unit::percent},
                        {"comp_comm_overlap_pctg", "communication under compute", unit::percent}},
             .single = true};
  made.rows.push_back(
      {.values = {us(static_cast<double>(t.idle_ns)), us(static_cast<double>(t.compute_ns)),
                  us(static_cast<double>(t.non_compute_ns)), us(static_cast<double>(t.kernel_ns)),
                  pct(t.idle_ns), pct(t.compute_ns), pct(t.non_compute_ns),
                  f.overlap_percent ? value(*f.overlap_percent) : value()}});
  return made;
}

sheet differences_sheet(const scope& s, const trace::hta_figures& figures,
                        const trace::hta_options& options) {
  sheet made{
      .key = "differences",
      .title = "Why the exact figures are others",
      .fields = {{"figure", "figure"},
                 {"exact_ns", "exact", unit::nanoseconds},
                 {"hta_ns", "HTA", unit::nanoseconds},
                 {"adds_ns", "adds", unit::nanoseconds},
                 {"cause", "because"}},
      .empty = figures.works == 0
                   ? "HTA counts no work of a device in this trace, so that nothing can be compared"
                   : "HTA's window, idle, compute and non-compute time are the exact ones for this trace"};
  for (const auto& diff : trace::hta_differences(*s.source, s.classes, options)) {
    for (const auto& c : diff.causes)
      made.rows.push_back({.values = {diff.figure, diff.exact_ns, diff.hta_ns, c.adds_ns, c.description}});
  }
  return made;
}

sheet types_sheet(const trace::hta_figures& f) {
  sheet made{.key = "kernel_types",
             .title = "Kernel types",
             .fields = {{"kernel_type", "type"}, {"sum(us)", "sum, µs", unit::number}}};
  for (const auto& t : f.types) made.rows.push_back({.values = {t.types, us(static_cast<double>(t.sum_ns))}});
  return made;
}

sheet kernels_sheet_of(const scope& s, const trace::hta_figures& f) {
  constexpr std::array<const char*, 4> names{"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};
  sheet made{.key = "kernels",
             .title = "Kernels",
             .fields = {name_field(s.full_names),
                        {"short_name", ""},
                        {"kernel_type", "type"},
                        {"sum (us)", "sum, µs", unit::number},
                        {"max (us)", "max", unit::number},
                        {"min (us)", "min", unit::number},
                        {"mean (us)", "mean", unit::number},
                        {"stddev", "stddev", unit::number}}};
  for (const auto& k : f.kernels)
    made.rows.push_back(
        {.values = {k.name, std::string(), std::string(names.at(static_cast<std::size_t>(k.type))),
                    us(k.sum_ns), us(k.max_ns), us(k.min_ns), us(k.mean_ns), us(k.deviation_ns)}});
  give_short_names(made);
  return made;
}

sheet idle_sheet(const trace::hta_figures& f) {
  constexpr std::array<const char*, 3> names{"host_wait", "kernel_wait", "other"};
  sheet made{.key = "idle_time",
             .title = "Idle time of streams",
             .fields = {{"stream", "stream"},
                        {"idle_category", "category"},
                        {"idle_time", "idle, µs", unit::number},
                        {"idle_time_ratio", "share", unit::number},
                        {"count", "gaps", unit::count}}};
  for (const auto& i : f.idle)
    made.rows.push_back(
        {.values = {std::int64_t{i.stream}, std::string(names.at(static_cast<std::size_t>(i.cause))),
                    us(static_cast<double>(i.sum_ns)), i.share ? value(*i.share) : value(),
                    whole(i.gaps_us.count)}});
  return made;
}

sheet queues_sheet_of(const trace::hta_figures& f) {
  sheet made{.key = "queue_length",
             .title = "Queue lengths",
             .fields = {{"stream", "stream"},
                        {"count", "count", unit::count},
                        {"mean", "mean", unit::number},
                        {"std", "std", unit::number},
                        {"max", "max", unit::number}}};
  for (const auto& q : f.queues)
    made.rows.push_back({.values = {std::int64_t{q.stream}, whole(q.length.count), q.length.mean,
                                    q.length.deviation, q.length.max}});
  return made;
}

sheet bandwidth_sheet(const trace::hta_figures& f) {
  sheet made{.key = "memory_bandwidth",
             .title = "Copy bandwidth",
             .fields = {{"name", "copies"},
                        {"count", "count", unit::count},
                        {"mean", "mean, GB/s", unit::number},
                        {"min", "min", unit::number},
                        {"max", "max", unit::number}}};
  for (const auto& c : f.copies)
    made.rows.push_back(
        {.values = {c.name, whole(c.gb_per_s.count), c.gb_per_s.mean, c.gb_per_s.min, c.gb_per_s.max}});
  return made;
}

// HTA's get_cuda_kernel_launch_stats with its cutoffs.
sheet launch_statistics_sheet(const trace::hta_figures& f) {
  constexpr trace::nanoseconds longest_call = 50'000, longest_delay = 100'000;
  sheet made{.key = "launch_statistics",
             .title = "Launch statistics",
             .fields = {{"launches", "launches", unit::count},
                        {"short_kernels", "short kernels", unit::count},
                        {"runtime_outliers", "calls over 50 µs", unit::count},
                        {"launch_delay_outliers", "delays over 100 µs", unit::count}},
             .single = true};
  if (f.launches.empty()) return made;
  const auto count = [&](auto which) {
    return whole(static_cast<std::uint64_t>(std::ranges::count_if(f.launches, which)));
  };
  made.rows.push_back({.values = {whole(f.launches.size()), count([](const auto& l) { return l.is_short(); }),
                                  count([](const auto& l) { return l.cpu_ns > longest_call; }),
                                  count([](const auto& l) { return l.delay_ns > longest_delay; })}});
  return made;
}

sheet launches_sheet(const scope& s, const trace::hta_figures& f) {
  sheet made{.key = "launches",
             .title = "Launches in the order of their calls",
             .fields = {{"correlation", "correlation"},
                        {"cpu_duration", "call, µs", unit::number},
                        {"gpu_duration", "work, µs", unit::number},
                        {"launch_delay", "delay, µs", unit::number}}};
  const auto shown = shown_rows(f.launches.size(), s.rows, made);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& l = f.launches[i];
    made.rows.push_back({.values = {std::int64_t{l.correlation}, us(static_cast<double>(l.cpu_ns)),
                                    us(static_cast<double>(l.gpu_ns)), us(static_cast<double>(l.delay_ns))}});
  }
  return made;
}

// HTA's get_gpu_user_annotation_breakdown: annotations of a device by name, longest sum first.
sheet annotations_sheet(const scope& s) {
  struct sums {
    std::int64_t count = 0;
    trace::nanoseconds sum_ns = 0, max_ns = 0, min_ns = std::numeric_limits<trace::nanoseconds>::max();
  };
  const auto& events = s.source->events;
  std::map<trace::name_id, sums> by_name;
  for (trace::event_id e = 0; e < events.size(); ++e) {
    if (events.kind[e] != trace::category::device_annotation) continue;
    auto& of = by_name[events.name[e]];
    ++of.count;
    of.sum_ns += events.duration_ns[e];
    of.max_ns = std::max(of.max_ns, events.duration_ns[e]);
    of.min_ns = std::min(of.min_ns, events.duration_ns[e]);
  }
  sheet made{.key = "annotations",
             .title = "Annotations of the device",
             .fields = {{"name", "name"},
                        {"count", "count", unit::count},
                        {"sum (us)", "sum, µs", unit::number},
                        {"max (us)", "max", unit::number},
                        {"min (us)", "min", unit::number},
                        {"mean (us)", "mean", unit::number}}};
  std::vector<std::pair<trace::name_id, sums>> order(by_name.begin(), by_name.end());
  std::ranges::stable_sort(order, std::greater{}, [](const auto& row) { return row.second.sum_ns; });
  const auto shown = shown_rows(order.size(), s.rows, made);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [name, of] = order[i];
    const auto sum = static_cast<double>(of.sum_ns);
    made.rows.push_back(
        {.values = {std::string(s.source->names[name]), of.count, us(sum), us(static_cast<double>(of.max_ns)),
                    us(static_cast<double>(of.min_ns)), us(sum / static_cast<double>(of.count))}});
  }
  return made;
}

}  // namespace

document hta_page(const scope& s, bool include_last_step, std::string_view operator_part) {
  auto d = page_about(s, "hta");
  const trace::hta_options options{.include_last_step = include_last_step};
  const auto f = trace::hta_figures_of(*s.source, options);
  d.facts.emplace_back("works", whole(f.works));
  d.facts.emplace_back("include_last_step", include_last_step);
  d.sheets = {temporal_sheet(f),    differences_sheet(s, f, options),
              types_sheet(f),       kernels_sheet_of(s, f),
              idle_sheet(f),        queues_sheet_of(f),
              bandwidth_sheet(f),   launch_statistics_sheet(f),
              launches_sheet(s, f), annotations_sheet(s)};
  add_hta_series_sheets(s, options, operator_part, d.sheets);
  return d;
}

}  // namespace ridge::trace_report
