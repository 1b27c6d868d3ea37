// SPDX-License-Identifier: Apache-2.0
#include "pages/placed_traces.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/trace/collectives.hpp>
#include <ridge/trace/merge.hpp>
#include <ridge/trace_report/diagnosis_page.hpp>

namespace ridge::app_trace {
namespace {

std::string clock_text(const trace::merged_source& s) {
  const auto sure = s.clock.uncertainty_ns
                        ? "± " + format_quantity(static_cast<double>(*s.clock.uncertainty_ns) / 1e9, "s")
                        : std::string("uncertainty not known");
  return fmt::format("{}: offset {}, {}, by {} ({} collectives)", s.label,
                     format_quantity(static_cast<double>(s.clock.offset_ns) / 1e9, "s"), sure,
                     name(s.clock.source), s.clock.collectives);
}

}  // namespace

placed_traces place(std::span<const trace::trace> traces, const trace::communication_names& names) {
  placed_traces made;
  if (traces.size() == 1) {
    made.all.push_back({.source = traces.data()});
    return made;
  }
  const auto view =
      trace::merge(traces, trace::align_clocks(traces, trace::match_collectives(traces, names)));
  made.all.resize(traces.size());
  for (const auto& s : view.sources) {
    made.all[s.trace] = {.source = &traces[s.trace], .clock = s.clock, .label = s.label};
    made.notes.push_back(clock_text(s));
  }
  for (const auto index : view.unaligned)
    made.notes.push_back(
        fmt::format("{}: its clock is not related to the others", traces[index].source.path));
  return made;
}

std::vector<trace_report::marker> markers_on(trace::diagnosis found,
                                             std::span<const trace_report::placed_trace> placed) {
  for (auto& f : found.findings) {
    for (auto& e : f.evidence) {
      if (!e.range || e.trace >= placed.size()) continue;
      const auto& clock = placed[e.trace].clock;
      e.range = {clock.to_common(e.range->start_ns), clock.to_common(e.range->end_ns)};
    }
  }
  return trace_report::markers_of(found);
}

}  // namespace ridge::app_trace
