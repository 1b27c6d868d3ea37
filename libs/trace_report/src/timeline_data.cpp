// SPDX-License-Identifier: Apache-2.0
#include "timeline_data.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "json_string.hpp"
#include "markup_text.hpp"
#include "packed_numbers.hpp"
#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

using trace::category;
using trace::event_id;
using trace::nanoseconds;
using trace::track_kind;

// Kinds of boxes, by which the script colours them. The first four are those of work_class.
enum box_kind : int { op = 4, api, annotation, python, waiting, os, overhead, step, other };

int kind_of(const scope& s, event_id e) {
  const auto& events = s.source->events;
  switch (events.kind[e]) {
    case category::kernel:
    case category::copy:
    case category::fill:
      return events.detail[e] == trace::none ? 0 : static_cast<int>(s.classes[events.detail[e]]);
    case category::op:
      return box_kind::op;
    case category::api:
      return box_kind::api;
    case category::annotation:
    case category::device_annotation:
      return box_kind::annotation;
    case category::python:
      return box_kind::python;
    case category::synchronization:
      return box_kind::waiting;
    case category::os_call:
      return box_kind::os;
    case category::overhead:
      return box_kind::overhead;
    default:
      return box_kind::other;
  }
}

bool on_device(track_kind kind) { return kind == track_kind::stream || kind == track_kind::device; }

// Orders tracks: steps first, then streams, then the threads of the busiest process; busier tracks come
// first.
std::array<std::int64_t, 5> place_of(const trace::trace& t, trace::track_id track) {
  if (track == trace::none) return {};
  const auto& of = t.tracks[track];
  if (on_device(of.kind)) return {1, of.device, of.thread, track, 0};
  std::int64_t events = 0;
  for (const auto& other : t.tracks) events += other.process == of.process ? other.count : 0;
  return {2, -events, of.process, of.kind == track_kind::python ? 1 : 0, -std::int64_t{of.count}};
}

bool shows_annotations(const trace::trace& t, const trace::track& track) {
  return track.count > 0 && t.events.kind[track.first] == category::device_annotation;
}

std::string name_of(const trace::trace& t, trace::track_id track) {
  if (track == trace::none) return "steps";
  const auto& of = t.tracks[track];
  const auto told =
      of.kind == track_kind::stream ? fmt::format("stream {}", of.thread) : thread_name(t, track);
  const std::string name(trim(told));
  if (shows_annotations(t, of)) return name + " annotations";
  return name + (of.kind == track_kind::python ? " (python)" : "");
}

std::string_view kind_name(const trace::trace& t, trace::track_id track) {
  if (track == trace::none) return "steps";
  const auto kind = t.tracks[track].kind;
  return on_device(kind) ? "stream" : kind == track_kind::python ? "python" : "thread";
}

std::string group_of(const html_trace& shown, trace::track_id track) {
  const auto& t = *shown.shown.source;
  auto group = shown.placed.label;
  const auto add = [&](const std::string& part) { group += (group.empty() ? "" : ", ") + part; };
  if (track != trace::none && on_device(t.tracks[track].kind)) {
    const auto name = device_name(t, t.tracks[track].device);
    add(fmt::format("GPU {}{}", t.tracks[track].device, name.empty() ? "" : " " + name));
  } else if (track != trace::none) {
    const auto& p = t.processes.at(t.tracks[track].process);
    add(fmt::format("{} {}", p.name.empty() ? "process" : p.name, p.id));
  }
  return group;
}

}  // namespace

timeline_data::timeline_data(std::span<const html_trace> traces, const html_limits& limits)
    : traces_(traces),
      zero_(std::numeric_limits<nanoseconds>::max()),
      end_(std::numeric_limits<nanoseconds>::min()) {
  for (std::size_t i = 0; i < traces.size(); ++i) {
    collect_steps(i);
    collect(i, limits);
  }
  if (tracks_.empty()) zero_ = end_ = 0;
  std::ranges::stable_sort(tracks_, {}, [&](const shown_track& s) {
    return std::pair(s.trace, place_of(*traces_[s.trace].shown.source, s.track));
  });
  choose_merging(limits.boxes);
}

void timeline_data::stretch(const timeline_lane& lane) {
  for (const auto& box : lane) {
    zero_ = std::min(zero_, box.start);
    end_ = std::max(end_, box.end);
  }
}

void timeline_data::collect_steps(std::size_t index) {
  const auto& in = traces_[index];
  timeline_lane lane;
  for (const auto& s : in.shown.steps)
    lane.push_back({.start = in.placed.clock.to_common(s.window.start_ns),
                    .end = in.placed.clock.to_common(s.window.end_ns),
                    .event = s.event});
  if (lane.empty()) return;
  stretch(lane);
  tracks_.push_back({.trace = index, .lanes = {std::move(lane)}});
}

void timeline_data::collect(std::size_t index, const html_limits& limits) {
  const auto& in = traces_[index];
  const auto& t = *in.shown.source;
  for (trace::track_id track = 0; track < t.tracks.size(); ++track) {
    lane_stack stack(limits.depth);
    const auto& of = t.tracks[track];
    for (auto e = of.first; e < of.first + of.count; ++e) {
      const auto start = t.events.start_ns[e], end = t.events.end_ns(e);
      const auto flags = t.events.flags[e];
      const bool outside =
          in.shown.window && (end <= in.shown.window->start_ns || start >= in.shown.window->end_ns);
      if (outside || (flags & trace::flag_foreign_clock) != 0) continue;
      ++counts_.events;
      if (!stack.put(
              {.start = in.placed.clock.to_common(start), .end = in.placed.clock.to_common(end), .event = e}))
        ++counts_.too_deep;
    }
    auto lanes = std::move(stack).take();
    if (lanes.empty()) continue;
    for (const auto& lane : lanes) stretch(lane);
    tracks_.push_back({.trace = index, .track = track, .lanes = std::move(lanes)});
  }
}

void timeline_data::choose_merging(std::size_t most) {
  for (;;) {
    counts_.boxes = 0;
    for (const auto& track : tracks_) {
      for (const auto& lane : track.lanes)
        for_merged(lane, counts_.merged_below_ns, [&](const timeline_box&) { ++counts_.boxes; });
    }
    if (counts_.boxes <= most || counts_.merged_below_ns > end_ - zero_) return;
    counts_.merged_below_ns = std::max<nanoseconds>(125, 2 * counts_.merged_below_ns);
  }
}

std::uint32_t timeline_data::name_index(std::string_view name, int kind) {
  const auto next = static_cast<std::uint32_t>(name_ids_.size());
  const auto [at, fresh] = name_ids_.try_emplace({std::string(name), kind}, next);
  if (!fresh) return at->second;
  names_ += names_.empty() ? "[" : ",\n[";
  append_json_text(names_, clean_text(name));
  names_ += fmt::format(",{}]", kind);
  return next;
}

std::string timeline_data::packed(const html_trace& shown, const timeline_lane& lane) {
  const auto& t = *shown.shown.source;
  std::string bytes;
  nanoseconds last_start = zero_;
  std::int64_t last_correlation = 0, last_event = 0;
  std::size_t boxes = 0;
  for_merged(lane, counts_.merged_below_ns, [&](const timeline_box& box) {
    const bool known = box.event < t.events.size();
    const std::int64_t correlation = known ? t.events.correlation[box.event] : 0;
    append_leb128(bytes, static_cast<std::uint64_t>(box.start - last_start));
    append_leb128(bytes, static_cast<std::uint64_t>(box.end - box.start));
    append_leb128(bytes, known ? name_index(t.name_of(box.event), kind_of(shown.shown, box.event))
                               : name_index("step", box_kind::step));
    append_leb128(bytes, box.events - 1);
    append_leb128(bytes, zigzag(correlation - last_correlation));
    append_leb128(bytes, zigzag(std::int64_t{box.event} - last_event));
    last_start = box.start;
    last_correlation = correlation;
    last_event = box.event;
    ++boxes;
  });
  return fmt::format("{{\"count\":{},\"data\":\"{}\"}}", boxes, base64(bytes));
}

void timeline_data::write(const std::function<void(std::string_view)>& out) {
  const auto text_of = [](const std::string& s) {
    std::string json;
    append_json_text(json, clean_text(s));
    return json;
  };
  std::string json =
      fmt::format("{{\"span\":{},\"merged\":{},\"tracks\":[", end_ - zero_, counts_.merged_below_ns);
  const auto flush = [&] {
    // "</script>" and "<!--" would end the element that holds the data.
    std::string safe;
    for (const char c : json) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
    out(safe);
    json.clear();
  };
  bool first = true;
  for (const auto& track : tracks_) {
    const auto& in = traces_[track.trace];
    const auto& t = *in.shown.source;
    json += fmt::format("{}{{\"name\":{},\"group\":{},\"kind\":\"{}\",\"trace\":{},\"lanes\":[",
                        first ? "" : ",\n", text_of(name_of(t, track.track)),
                        text_of(group_of(in, track.track)), kind_name(t, track.track), track.trace);
    for (std::size_t i = 0; i < track.lanes.size(); ++i)
      json += (i == 0 ? "" : ",") + packed(in, track.lanes[i]);
    json += "]}";
    first = false;
    flush();
  }
  json += "],\n\"names\":[" + names_ + "]}";
  flush();
}

}  // namespace ridge::trace_report
