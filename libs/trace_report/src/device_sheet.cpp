// SPDX-License-Identifier: Apache-2.0
#include "device_sheet.hpp"

#include <ridge/trace/launches.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

row device_row(const scope& s, const trace::device_partition& p) {
  const auto overlap = p.overlap_percent();
  return {.values = {std::int64_t{p.device}, device_name(*s.source, p.device), whole(p.works),
                     p.window.length_ns(), p.busy_ns(), p.compute_ns, p.percent(p.compute_ns),
                     p.communication_ns, p.exposed_communication_ns, p.percent(p.exposed_communication_ns),
                     overlap ? value(*overlap) : value(), p.copy_ns, p.exposed_copy_ns,
                     p.percent(p.exposed_copy_ns), p.idle_ns, p.percent(p.idle_ns), p.fill_only_ns,
                     p.clipped_busy_ns ? value(*p.clipped_busy_ns) : value()}};
}

}  // namespace

sheet devices_sheet(const scope& s, const std::vector<trace::device_partition>& devices) {
  sheet made{.key = "devices",
             .title = "Where the time went",
             .fields = {{"device", "GPU"},
                        {"name", "name"},
                        {"n_gpu_events", "works", unit::count},
                        {"span_ns", "window", unit::nanoseconds},
                        {"busy_ns", "", unit::nanoseconds},
                        {"comp_ns", "", unit::nanoseconds},
                        {"pct.comp", "compute", unit::percent},
                        {"comm_total_ns", "", unit::nanoseconds},
                        {"exposed_comm_ns", "", unit::nanoseconds},
                        {"pct.expcomm", "exposed comm", unit::percent},
                        {"comm_comp_overlap_pct", "", unit::percent},
                        {"memcpy_total_ns", "", unit::nanoseconds},
                        {"exposed_memcpy_ns", "", unit::nanoseconds},
                        {"pct.expmem", "exposed copies", unit::percent},
                        {"idle_ns", "idle", unit::nanoseconds},
                        {"pct.idle", "idle", unit::percent},
                        {"fill_only_ns", "", unit::nanoseconds},
                        {"clipped_busy_ns", "busy, clipped", unit::nanoseconds}},
             .keyed = true,
             .empty = "no work of a GPU is in this trace"};
  for (const auto& p : devices) made.rows.push_back(device_row(s, p));
  return made;
}

sheet launch_sheet(const scope& s) {
  const auto l = trace::launches_of(*s.source, {}, s.window);
  sheet made{
      .key = "launch",
      .title = "Launches",
      .fields = {{"correlated", "works with their launch", unit::count},
                 {"uncorrelated", "without", unit::count},
                 {"short_kernels(gpu<cpu)", "shorter than their launch call", unit::count},
                 {"kern_lt_10us", "under 10 µs", unit::count},
                 {"before_launch", "begin before their launch", unit::count},
                 {"cpu_dur_ns_p50", "launch call, median", unit::nanoseconds},
                 {"gpu_dur_ns_p50", "work, median", unit::nanoseconds},
                 {"launch_delay_end_ns_p50", "from call's end to start, median", unit::nanoseconds},
                 {"launch_delay_start_ns_p50", "from call's start to start, median", unit::nanoseconds}},
      .single = true};
  if (l.correlated + l.uncorrelated == 0) return made;
  made.rows.push_back({.values = {whole(l.correlated), whole(l.uncorrelated), whole(l.shorter_than_call),
                                  whole(l.short_works), whole(l.before_launch), l.call.p50_ns, l.work.p50_ns,
                                  l.delay_after_end.p50_ns, l.delay_after_start.p50_ns}});
  return made;
}

}  // namespace ridge::trace_report
