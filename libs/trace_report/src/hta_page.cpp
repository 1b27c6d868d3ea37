// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/trace/hta_differences.hpp>
#include <ridge/trace/hta_semantics.hpp>

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

sheet differences_sheet(const scope& s, const trace::hta_options& options) {
  sheet made{.key = "differences",
             .title = "Why the exact figures are others",
             .fields = {{"figure", "figure"},
                        {"exact_ns", "exact", unit::nanoseconds},
                        {"hta_ns", "HTA", unit::nanoseconds},
                        {"adds_ns", "adds", unit::nanoseconds},
                        {"cause", "because"}},
             .empty = "HTA's figures are the exact ones for this trace"};
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

sheet kernels_sheet_of(const trace::hta_figures& f) {
  constexpr std::array<const char*, 4> names{"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};
  sheet made{.key = "kernels",
             .title = "Kernels",
             .fields = {{"name", ""},
                        {"short_name", "name"},
                        {"kernel_type", "type"},
                        {"sum (us)", "sum, µs", unit::number},
                        {"max (us)", "max", unit::number},
                        {"min (us)", "min", unit::number},
                        {"mean (us)", "mean", unit::number},
                        {"stddev", "stddev", unit::number}}};
  for (const auto& k : f.kernels)
    made.rows.push_back(
        {.values = {k.name, short_name(k.name, 44), std::string(names.at(static_cast<std::size_t>(k.type))),
                    us(k.sum_ns), us(k.max_ns), us(k.min_ns), us(k.mean_ns), us(k.deviation_ns)}});
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

}  // namespace

document hta_page(const scope& s, bool include_last_step) {
  auto d = page_about(s, "hta");
  const trace::hta_options options{.include_last_step = include_last_step};
  const auto f = trace::hta_figures_of(*s.source, options);
  d.facts.emplace_back("works", whole(f.works));
  d.facts.emplace_back("include_last_step", include_last_step);
  d.sheets = {temporal_sheet(f), differences_sheet(s, options),
              types_sheet(f),    kernels_sheet_of(f),
              idle_sheet(f),     queues_sheet_of(f),
              bandwidth_sheet(f)};
  return d;
}

}  // namespace ridge::trace_report
