// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/merge.hpp>

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

namespace ridge::trace {
namespace {

time_range span_on_clock(const trace& t, const clock_map& clock) {
  if (t.events.size() == 0) return {};
  const auto n = static_cast<event_id>(t.events.size());
  auto first = t.events.start_ns[0], last = first;
  for (event_id e = 0; e < n; ++e) {
    first = std::min(first, t.events.start_ns[e]);
    last = std::max(last, t.events.end_ns(e));
  }
  return {clock.to_common(first), clock.to_common(last)};
}

std::vector<merged_source> sources_of(std::span<const trace> traces, const clock_alignment& clocks) {
  std::vector<merged_source> sources;
  for (std::uint32_t i = 0; i < traces.size(); ++i) {
    const auto rank = traces[i].source.rank;
    sources.push_back({.trace = i,
                       .rank = rank,
                       .label = rank >= 0 ? fmt::format("rank {}", rank) : fmt::format("trace {}", i),
                       .clock = clocks.maps[i],
                       .span = span_on_clock(traces[i], clocks.maps[i])});
  }
  std::ranges::stable_sort(sources, {},
                           [](const auto& s) { return std::tuple(s.rank < 0, s.rank, s.span.start_ns); });
  std::map<std::string, int> seen;
  for (auto& s : sources)
    if (const auto nth = ++seen[s.label]; nth > 1) s.label += fmt::format(" (profile {})", nth);
  return sources;
}

std::string name_of_track(const trace& t, const track& row, bool one_device) {
  const auto device = one_device ? "" : fmt::format("device {} ", row.device);
  switch (row.kind) {
    case track_kind::stream:
      return fmt::format("{}stream {}", device, row.thread);
    case track_kind::python:
      return fmt::format("python of thread {}", row.thread);
    case track_kind::thread: {
      const auto& of = t.processes.size() > 1 ? fmt::format("process {} ", t.processes[row.process].id) : "";
      const auto called = row.name.empty() ? "" : fmt::format(" ({})", row.name);
      return fmt::format("{}thread {}{}", of, row.thread, called);
    }
    default:
      return row.name.empty() ? fmt::format("track {}", row.thread) : row.name;
  }
}

void add_tracks(merged_view& view, const trace& t, const merged_source& source) {
  const auto one_device = t.working_devices().size() < 2;
  for (track_id i = 0; i < t.tracks.size(); ++i)
    view.tracks.push_back(
        {source.trace, i, fmt::format("{} / {}", source.label, name_of_track(t, t.tracks[i], one_device))});
}

// Spans of traces whose clocks are unrelated to the others are not on the common clock.
time_range span_of_sources(const std::vector<merged_source>& sources) {
  std::optional<time_range> whole;
  for (const auto& s : sources) {
    if (s.clock.source == clock_source::unrelated || s.span.length_ns() == 0) continue;
    if (!whole) whole = s.span;
    whole->start_ns = std::min(whole->start_ns, s.span.start_ns);
    whole->end_ns = std::max(whole->end_ns, s.span.end_ns);
  }
  return whole.value_or(time_range{});
}

}  // namespace

nanoseconds merged_view::common_ns(std::uint32_t trace, nanoseconds t) const {
  expects(trace < clocks.maps.size(), "merged_view: a trace that is not there");
  return clocks.maps[trace].to_common(t);
}

merged_view merge(std::span<const trace> traces, const clock_alignment& clocks) {
  expects(clocks.maps.size() == traces.size(), "merge: one clock a trace");
  merged_view view{.clocks = clocks};
  if (traces.empty()) return view;
  view.epoch_ns = traces[0].epoch_ns;
  view.sources = sources_of(traces, clocks);
  view.span = span_of_sources(view.sources);
  for (const auto& s : view.sources) {
    add_tracks(view, traces[s.trace], s);
    if (s.clock.source == clock_source::unrelated) view.unaligned.push_back(s.trace);
  }
  return view;
}

}  // namespace ridge::trace
