// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/trace/launches.hpp>

#include "device_sheet.hpp"
#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

sheet durations_sheet(const trace::launch_report& l) {
  sheet made{.key = "durations",
             .title = "Times of launched work",
             .fields = {{"what", "what"},
                        {"count", "count", unit::count},
                        {"min_ns", "min", unit::nanoseconds},
                        {"p50_ns", "median", unit::nanoseconds},
                        {"p95_ns", "p95", unit::nanoseconds},
                        {"p99_ns", "p99", unit::nanoseconds},
                        {"max_ns", "max", unit::nanoseconds},
                        {"sum_ns", "sum", unit::nanoseconds}}};
  const auto add = [&](const char* row, const trace::duration_summary& d) {
    made.rows.push_back({.values = {std::string(row), whole(d.count), d.min_ns, d.p50_ns, d.p95_ns, d.p99_ns,
                                    d.max_ns, d.sum_ns}});
  };
  if (l.correlated == 0) return made;
  add("launch call", l.call);
  add("work", l.work);
  add("call's end to work's start", l.delay_after_end);
  add("call's start to work's start", l.delay_after_start);
  return made;
}

sheet queues_sheet(const trace::launch_report& l) {
  sheet made{.key = "queues",
             .title = "Queues: launched, not yet started",
             .fields = {{"device", "GPU"},
                        {"stream", "stream"},
                        {"works", "works", unit::count},
                        {"longest", "longest", unit::count},
                        {"mean", "mean", unit::number},
                        {"at_limit_ns", "at its limit", unit::nanoseconds}}};
  for (const auto& q : l.queues)
    made.rows.push_back({.values = {std::int64_t{q.device}, std::int64_t{q.stream}, whole(q.works), q.longest,
                                    q.mean_length(), q.at_limit_ns}});
  return made;
}

sheet graphs_sheet(const scope& s, const trace::launch_report& l) {
  sheet made{.key = "graphs",
             .title = "Graph launches",
             .fields = {{"call", "call"},
                        {"start_ns", "", unit::nanoseconds},
                        {"works", "works", unit::count},
                        {"device_ns", "first to last", unit::nanoseconds}}};
  const auto rows = shown_rows(l.graphs.size(), s.rows, made);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto& g = l.graphs[i];
    made.rows.push_back({.values = {std::string(s.source->name_of(g.call)), s.source->events.start_ns[g.call],
                                    whole(g.works), g.device.length_ns()}});
  }
  return made;
}

sheet host_sheet(const scope& s, const trace::launch_report& l) {
  sheet made{.key = "host",
             .title = "The launching thread",
             .fields = {{"thread", "busiest"},
                        {"thread_calls", "its calls that launched work", unit::count},
                        {"thread_call_ns", "time in them", unit::nanoseconds},
                        {"call_ns", "in those for kernels", unit::nanoseconds},
                        {"call_pct", "of the window", unit::percent},
                        {"launch_calls", "calls of all threads", unit::count},
                        {"longest_in_flight", "most work in flight", unit::count},
                        {"graph_pct", "device time from graphs", unit::percent},
                        {"opaque_graphs", "graph launches without kernels", unit::count}},
             .single = true};
  if (l.launch_calls + l.opaque_graphs == 0) return made;
  made.rows.push_back(
      {.values = {thread_name(*s.source, l.busiest_thread), whole(l.thread_calls), l.thread_call_ns,
                  l.call_ns, 100 * l.launch_bound_ratio(), whole(l.launch_calls), l.longest_in_flight,
                  100 * l.graph_coverage(), whole(l.opaque_graphs)}});
  return made;
}

}  // namespace

document launches_page(const scope& s) {
  auto d = page_about(s, "launches");
  const auto l = trace::launches_of(*s.source, {}, s.window);
  auto first = launch_sheet(s);
  first.single = true;
  first.empty = "no device work is in this window";
  d.sheets.push_back(std::move(first));
  d.sheets.push_back(durations_sheet(l));
  d.sheets.push_back(host_sheet(s, l));
  d.sheets.push_back(queues_sheet(l));
  d.sheets.push_back(graphs_sheet(s, l));
  return d;
}

}  // namespace ridge::trace_report
