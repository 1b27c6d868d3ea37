// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace_report/perfetto.hpp>

#include <fmt/format.h>

#include "json_string.hpp"
#include "perfetto_tracks.hpp"

namespace ridge::trace_report {
namespace {

using trace::category;
using trace::event_id;
using trace::nanoseconds;

class writer {
 public:
  explicit writer(const std::function<void(std::string_view)>& out) : out_(out) {}

  void trace_of(const placed_trace& placed, std::uint32_t index);
  void findings(std::span<const marker> all);
  void begin() { text_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"; }
  void end() {
    text_ += "\n]}\n";
    flush();
  }
  [[nodiscard]] perfetto_counts counts() const { return counts_; }

 private:
  void describe(const perfetto_tracks& tracks);
  void describe(std::string_view kind, perfetto_place place, std::string_view name);
  void event(const placed_trace& placed, event_id e, perfetto_place place);
  void arguments(const trace::trace& t, event_id e);
  void work_arguments(const trace::device_work& w);
  void arrows(const placed_trace& placed, const perfetto_tracks& tracks, std::uint32_t index);
  void arrow(std::uint64_t id, std::string_view name, perfetto_place start, nanoseconds from_ns,
             perfetto_place end, nanoseconds to_ns);
  void counters(const placed_trace& placed, const perfetto_tracks& tracks);

  void next() {
    if (!first_) text_ += ",\n";
    first_ = false;
    if (text_.size() > (1U << 20)) flush();
  }
  void flush() {
    out_(text_);
    text_.clear();
  }
  // Microseconds with three decimals are exact.
  void time(std::string_view key, nanoseconds ns) {
    fmt::format_to(std::back_inserter(text_), ",\"{}\":{}{}.{:03}", key, ns < 0 ? "-" : "",
                   std::abs(ns) / 1000, std::abs(ns) % 1000);
  }
  template <class... Parts>
  void put(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Parts>(parts)...);
  }

  const std::function<void(std::string_view)>& out_;
  std::string text_{};
  bool first_ = true;
  perfetto_counts counts_{};
};

void writer::describe(std::string_view kind, perfetto_place place, std::string_view name) {
  next();
  put("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":", kind, place.process,
      place.thread);
  append_json_text(text_, name);
  text_ += "}}";
}

void writer::describe(const perfetto_tracks& tracks) {
  for (const auto& p : tracks.processes()) describe("process_name", {.process = p.id}, p.name);
  for (const auto& l : tracks.lanes()) describe("thread_name", l.place, l.name);
}

void writer::work_arguments(const trace::device_work& w) {
  put(",\"device\":{},\"stream\":{}", w.device, w.stream);
  if (w.bytes > 0) put(",\"bytes\":{}", w.bytes);
  if (w.kind != category::kernel) return;
  put(",\"grid\":[{},{},{}],\"block\":[{},{},{}]", w.grid[0], w.grid[1], w.grid[2], w.block[0], w.block[1],
      w.block[2]);
  put(",\"registers per thread\":{},\"shared memory\":{}", w.registers, w.shared_bytes);
}

void writer::arguments(const trace::trace& t, event_id e) {
  const auto& all = t.events;
  put(",\"args\":{{\"ridge event\":{}", e);
  if (all.correlation[e] != 0) put(",\"correlation\":{}", all.correlation[e]);
  if (all.external[e] != 0) put(",\"External id\":{}", all.external[e]);
  if (all.detail[e] != trace::none && is_device_work(all.kind[e])) work_arguments(t.works[all.detail[e]]);
  if (all.detail[e] != trace::none && all.kind[e] == category::op) {
    text_ += ",\"Input Dims\":";
    append_json_text(text_, t.names[t.ops[all.detail[e]].input_dims]);
  }
  text_ += '}';
}

void writer::event(const placed_trace& placed, event_id e, perfetto_place place) {
  const auto& all = placed.source->events;
  const bool instant = (all.flags[e] & trace::flag_instant) != 0;
  next();
  put("{{\"ph\":\"{}\",\"cat\":\"{}\",\"name\":", instant ? "i" : "X", name(all.kind[e]));
  append_json_text(text_, placed.source->name_of(e));
  put(",\"pid\":{},\"tid\":{}", place.process, place.thread);
  time("ts", placed.clock.to_common(all.start_ns[e]));
  if (instant)
    text_ += ",\"s\":\"t\"";
  else
    time("dur", all.duration_ns[e]);
  arguments(*placed.source, e);
  text_ += '}';
  ++counts_.events;
}

void writer::arrow(std::uint64_t id, std::string_view name, perfetto_place start, nanoseconds from_ns,
                   perfetto_place end, nanoseconds to_ns) {
  next();
  put("{{\"ph\":\"s\",\"cat\":\"{0}\",\"name\":\"{0}\",\"id\":{1},\"pid\":{2},\"tid\":{3}", name, id,
      start.process, start.thread);
  time("ts", from_ns);
  text_ += '}';
  next();
  put("{{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"{0}\",\"name\":\"{0}\",\"id\":{1},\"pid\":{2},\"tid\":{3}", name,
      id, end.process, end.thread);
  time("ts", to_ns);
  text_ += '}';
  ++counts_.arrows;
}

void writer::arrows(const placed_trace& placed, const perfetto_tracks& tracks, std::uint32_t index) {
  const auto& t = *placed.source;
  std::uint64_t id = std::uint64_t{index} << 32;
  for (const auto& w : t.works) {
    if (w.launch == trace::none) continue;
    arrow(++id, "launch", tracks.place_of(w.launch), placed.clock.to_common(t.events.start_ns[w.launch]),
          tracks.place_of(w.event), placed.clock.to_common(w.start_ns));
  }
  for (const auto& f : t.flows) {
    if (f.from_track == trace::none || f.to_track == trace::none) continue;
    arrow(++id, "forward to backward", tracks.first_lane(f.from_track), placed.clock.to_common(f.from_ns),
          tracks.first_lane(f.to_track), placed.clock.to_common(f.to_ns));
  }
}

void writer::counters(const placed_trace& placed, const perfetto_tracks& tracks) {
  const auto& t = *placed.source;
  for (const auto& v : t.counter_values) {
    const auto& series = t.counters[v.series];
    next();
    text_ += "{\"ph\":\"C\",\"name\":";
    append_json_text(text_, t.names[series.name]);
    put(",\"pid\":{}", tracks.process_of(series));
    time("ts", placed.clock.to_common(v.time_ns));
    put(",\"args\":{{\"value\":{}}}}}", v.value);
    ++counts_.values;
  }
}

void writer::trace_of(const placed_trace& placed, std::uint32_t index) {
  const perfetto_tracks tracks(*placed.source, placed.label, index);
  describe(tracks);
  for (event_id e = 0; e < placed.source->events.size(); ++e) {
    const auto at = tracks.place_of(e);
    if (at.lane > 0) ++counts_.moved;
    event(placed, e, at);
  }
  arrows(placed, tracks, index);
  counters(placed, tracks);
}

void writer::findings(std::span<const marker> all) {
  if (all.empty()) return;
  const perfetto_place at{.process = 1, .thread = 1};
  describe("process_name", at, "Ridge: findings");
  overflow_lanes lanes;
  for (const auto& m : all) {
    const auto lane = lanes.place(m.start_ns, m.end_ns);
    next();
    text_ += "{\"ph\":\"X\",\"cat\":\"finding\",\"name\":";
    append_json_text(text_, m.name);
    put(",\"pid\":{},\"tid\":{}", at.process, at.thread + lane);
    time("ts", m.start_ns);
    time("dur", m.end_ns - m.start_ns);
    text_ += ",\"args\":{\"finding\":";
    append_json_text(text_, m.text);
    text_ += "}}";
  }
}

}  // namespace

perfetto_counts write_perfetto(std::span<const placed_trace> traces, std::span<const marker> findings,
                               const std::function<void(std::string_view)>& out) {
  writer w(out);
  w.begin();
  for (std::uint32_t i = 0; i < traces.size(); ++i) w.trace_of(traces[i], i);
  w.findings(findings);
  w.end();
  return w.counts();
}

}  // namespace ridge::trace_report
