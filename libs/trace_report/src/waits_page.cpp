// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/trace/synchronization.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

sheet groups_sheet(const scope& s, const trace::synchronization_report& r) {
  sheet made{.key = "waits",
             .title = "Calls that waited",
             .fields = {{"api", "call"},
                        {"kind", "for"},
                        {"count", "count", unit::count},
                        {"total_ns", "time", unit::nanoseconds},
                        {"longest_ns", "longest", unit::nanoseconds},
                        {"idle_after_ns", "GPU idle after", unit::nanoseconds},
                        {"scalar_reads", "like .item()", unit::count}},
             .empty = "no call in this window waited"};
  for (const auto& g : r.groups)
    made.rows.push_back(
        {.values = {std::string(s.source->names[g.api]), std::string(name(g.kind)), whole(g.count), g.ns,
                    g.longest_ns, g.idle_after_ns, whole(g.scalar_reads)}});
  return made;
}

sheet longest_sheet(const scope& s, const trace::synchronization_report& r) {
  sheet made{.key = "longest",
             .title = "Longest waits",
             .fields = {{"start_ns", "at", unit::nanoseconds},
                        {"length_ns", "length", unit::nanoseconds},
                        {"api", "call"},
                        {"op", "in"},
                        name_field(s.full_names, "waited_for", "for"),
                        {"idle_after_ns", "GPU idle after", unit::nanoseconds}}};
  auto order = r.waits;
  std::ranges::stable_sort(order, std::greater{},
                           [](const trace::host_wait& w) { return w.range.length_ns(); });
  // The host may wait before the device's first work.
  const auto first = std::min(trace::whole_window(*s.source).start_ns, r.window.start_ns);
  const auto rows = std::min(order.size(), s.rows == 0 ? order.size() : s.rows / 2);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto& w = order[i];
    const auto work =
        std::string(w.waited_for == trace::none ? "" : s.source->names[s.source->works[w.waited_for].name]);
    const auto op = std::string(w.op == trace::none ? "" : s.source->name_of(w.op));
    made.rows.push_back({.values = {w.range.start_ns - first, w.range.length_ns(),
                                    std::string(s.source->name_of(w.call)), op, work, w.idle_after_ns}});
  }
  if (!s.full_names) shorten_texts(made, "op", 40);
  return made;
}

}  // namespace

document waits_page(const scope& s) {
  auto d = page_about(s, "waits");
  std::vector<trace::time_range> steps;
  for (const auto& step : s.steps) steps.push_back(step.window);
  const auto r = trace::host_waits_of(*s.source, s.window, steps);
  sheet total{.key = "total",
              .fields = {{"window_ns", "window", unit::nanoseconds},
                         {"blocked_ns", "one thread blocked", unit::nanoseconds},
                         {"blocked_pct", "of the window", unit::percent},
                         {"idle_after_ns", "GPU idle after waits", unit::nanoseconds}},
              .single = true};
  const auto window = r.window.length_ns();
  total.rows.push_back({.values = {window, r.blocked_ns,
                                   percent_of(static_cast<double>(r.blocked_ns), static_cast<double>(window)),
                                   r.idle_after_ns}});
  d.sheets = {groups_sheet(s, r), std::move(total), longest_sheet(s, r)};
  return d;
}

}  // namespace ridge::trace_report
