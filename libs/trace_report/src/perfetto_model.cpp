// SPDX-License-Identifier: Apache-2.0
#include "perfetto_model.hpp"

#include <array>
#include <cmath>

#include "json_string.hpp"

namespace ridge::trace_report {
namespace {

using trace::category;
using trace::event_id;
using trace::nanoseconds;

constexpr std::array<std::string_view, 5> sync_names{"Unknown", "Context Synchronize", "Stream Synchronize",
                                                     "Event Synchronize", "Stream Wait Event"};

// The words of PyTorch's traces, so that what is written can be read back.
std::string_view word_of(category kind) {
  switch (kind) {
    case category::copy:
      return "gpu_memcpy";
    case category::fill:
      return "gpu_memset";
    case category::api:
      return "cuda_runtime";
    case category::op:
      return "cpu_op";
    case category::annotation:
      return "user_annotation";
    case category::device_annotation:
      return "gpu_user_annotation";
    case category::python:
      return "python_function";
    case category::synchronization:
      return "cuda_sync";
    case category::device_event:
      return "cuda_event";
    case category::os_call:
      return "off_cpu";
    case category::counter_range:
      return "cuda_profiler_range";
    default:
      return name(kind);
  }
}

}  // namespace

perfetto_model::perfetto_model(const placed_trace& placed, std::uint32_t index, perfetto_text& text,
                               perfetto_counts& counts)
    : placed_(placed),
      trace_(*placed.source),
      index_(index),
      text_(text),
      counts_(counts),
      tracks_(*placed.source, placed.label, index) {}

void perfetto_model::write() {
  for (const auto& p : tracks_.processes()) describe("process_name", {.process = p.id}, p.name);
  for (const auto& l : tracks_.lanes()) describe("thread_name", l.place, l.name);
  for (event_id e = 0; e < trace_.events.size(); ++e) {
    const auto at = tracks_.place_of(e);
    if (at.lane > 0) ++counts_.moved;
    event(e, at);
  }
  arrows();
  counters();
  memory();
}

void perfetto_model::describe(std::string_view kind, perfetto_place place, std::string_view name) {
  text_.next();
  text_.put("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":", kind, place.process,
            place.thread);
  append_json_text(text_.text(), name);
  text_.add("}}");
}

void perfetto_model::name_argument(std::string_view key, trace::name_id name) {
  if (name == 0 || name == trace::none) return;
  text_.put(",\"{}\":", key);
  append_json_text(text_.text(), trace_.names[name]);
}

void perfetto_model::work_arguments(const trace::device_work& w) {
  text_.put(",\"device\":{},\"stream\":{}", w.device, w.stream);
  if (w.context != 0) text_.put(",\"context\":{}", w.context);
  if (w.graph != 0) text_.put(",\"graph id\":{},\"graph node id\":{}", w.graph, w.graph_node);
  if (w.bytes > 0) text_.put(",\"bytes\":{}", w.bytes);
  if (w.gb_per_s > 0) text_.put(",\"memory bandwidth (GB/s)\":{}", w.gb_per_s);
  collective_arguments(w.collective);
  if (w.kind != category::kernel) return;
  text_.put(",\"grid\":[{},{},{}],\"block\":[{},{},{}]", w.grid[0], w.grid[1], w.grid[2], w.block[0],
            w.block[1], w.block[2]);
  text_.put(",\"registers per thread\":{},\"shared memory\":{}", w.registers, w.shared_bytes);
  if (w.local_bytes != 0) text_.put(",\"local memory per thread\":{}", w.local_bytes);
  if (!std::isnan(w.occupancy)) text_.put(",\"est. achieved occupancy %\":{}", 100 * w.occupancy);
}

void perfetto_model::op_arguments(const trace::op_detail& op) {
  if (op.sequence >= 0) text_.put(",\"Sequence number\":{}", op.sequence);
  if (op.forward_thread >= 0) text_.put(",\"Fwd thread id\":{}", op.forward_thread);
  if (op.stream >= 0) text_.put(",\"stream\":{}", op.stream);
  name_argument("Input Dims", op.input_dims);
  name_argument("Input type", op.input_types);
  name_argument("Input Strides", op.input_strides);
  name_argument("Concrete Inputs", op.concrete_inputs);
  collective_arguments(op.collective);
}

void perfetto_model::sync_arguments(const trace::sync_detail& s) {
  text_.put(",\"cuda_sync_kind\":\"{}\"", sync_names.at(static_cast<std::size_t>(s.kind)));
  if (s.device >= 0) text_.put(",\"device\":{}", s.device);
  if (s.stream >= 0) text_.put(",\"stream\":{}", s.stream);
  if (s.wait_on_stream >= 0) text_.put(",\"wait_on_stream\":{}", s.wait_on_stream);
  if (s.wait_on_correlation != 0)
    text_.put(",\"wait_on_cuda_event_record_corr_id\":{}", s.wait_on_correlation);
  if (s.event != 0) text_.put(",\"wait_on_cuda_event_id\":{}", s.event);
}

void perfetto_model::collective_arguments(std::uint32_t index) {
  if (index == trace::none) return;
  const auto& c = trace_.collectives[index];
  name_argument("Collective name", c.operation);
  name_argument("dtype", c.dtype);
  name_argument("Process Group Name", c.group);
  name_argument("Process Group Description", c.group_description);
  name_argument("Process Group Ranks", c.ranks);
  if (c.in_elements >= 0) text_.put(",\"In msg nelems\":{}", c.in_elements);
  if (c.out_elements >= 0) text_.put(",\"Out msg nelems\":{}", c.out_elements);
  if (c.sequence >= 0) text_.put(",\"Seq\":{}", c.sequence);
  if (c.group_size != 0) text_.put(",\"Group size\":{}", c.group_size);
  if (c.source_rank >= 0) text_.put(",\"Src Rank\":{}", c.source_rank);
  if (c.target_rank >= 0) text_.put(",\"Dst Rank\":{}", c.target_rank);
}

void perfetto_model::arguments(event_id e) {
  const auto& all = trace_.events;
  text_.put(",\"args\":{{\"ridge event\":{}", e);
  if (all.correlation[e] != 0) text_.put(",\"correlation\":{}", all.correlation[e]);
  if (all.external[e] != 0) text_.put(",\"External id\":{}", all.external[e]);
  if (const auto detail = all.detail[e]; detail != trace::none) {
    if (is_device_work(all.kind[e])) work_arguments(trace_.works[detail]);
    if (all.kind[e] == category::op) op_arguments(trace_.ops[detail]);
    if (all.kind[e] == category::synchronization) sync_arguments(trace_.syncs[detail]);
  }
  text_.add("}");
}

void perfetto_model::event(event_id e, perfetto_place place) {
  const auto& all = trace_.events;
  const bool instant = (all.flags[e] & trace::flag_instant) != 0;
  text_.next();
  text_.put("{{\"ph\":\"{}\",\"cat\":\"{}\",\"name\":", instant ? "i" : "X", word_of(all.kind[e]));
  append_json_text(text_.text(), trace_.name_of(e));
  text_.put(",\"pid\":{},\"tid\":{}", place.process, place.thread);
  text_.time("ts", common(all.start_ns[e]));
  if (instant)
    text_.add(",\"s\":\"t\"");
  else
    text_.time("dur", all.duration_ns[e]);
  arguments(e);
  text_.add("}");
  ++counts_.events;
}

void perfetto_model::arrow(std::uint64_t id, std::string_view name, perfetto_place start, nanoseconds from_ns,
                           perfetto_place end, nanoseconds to_ns) {
  text_.next();
  text_.put("{{\"ph\":\"s\",\"cat\":\"{0}\",\"name\":\"{0}\",\"id\":{1},\"pid\":{2},\"tid\":{3}", name, id,
            start.process, start.thread);
  text_.time("ts", from_ns);
  text_.add("}");
  text_.next();
  text_.put("{{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"{0}\",\"name\":\"{0}\",\"id\":{1},\"pid\":{2},\"tid\":{3}",
            name, id, end.process, end.thread);
  text_.time("ts", to_ns);
  text_.add("}");
  ++counts_.arrows;
}

void perfetto_model::arrows() {
  std::uint64_t id = std::uint64_t{index_} << 32;
  for (const auto& w : trace_.works) {
    if (w.launch == trace::none) continue;
    arrow(++id, "launch", tracks_.place_of(w.launch), common(trace_.events.start_ns[w.launch]),
          tracks_.place_of(w.event), common(w.start_ns));
  }
  for (const auto& f : trace_.flows) {
    if (f.from_track == trace::none || f.to_track == trace::none) continue;
    arrow(++id, "forward to backward", tracks_.first_lane(f.from_track), common(f.from_ns),
          tracks_.first_lane(f.to_track), common(f.to_ns));
  }
}

void perfetto_model::counters() {
  for (const auto& v : trace_.counter_values) {
    const auto& series = trace_.counters[v.series];
    text_.next();
    text_.add("{\"ph\":\"C\",\"name\":");
    append_json_text(text_.text(), trace_.names[series.name]);
    text_.put(",\"pid\":{}", tracks_.process_of(series));
    text_.time("ts", common(v.time_ns));
    text_.put(",\"args\":{{\"value\":{}}}}}", v.value);
    ++counts_.values;
  }
}

void perfetto_model::memory() {
  for (const auto& m : trace_.memory) {
    const auto at = m.track == trace::none ? perfetto_place{} : tracks_.first_lane(m.track);
    text_.next();
    text_.put(
        "{{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":{},\"tid\":{"
        "}",
        at.process, at.thread);
    text_.time("ts", common(m.time_ns));
    text_.put(",\"args\":{{\"Addr\":{},\"Bytes\":{},\"Device Type\":{},\"Device Id\":{}", m.address, m.bytes,
              m.device < 0 ? 0 : 1, m.device);
    if (m.total_allocated >= 0) text_.put(",\"Total Allocated\":{}", m.total_allocated);
    if (m.total_reserved >= 0) text_.put(",\"Total Reserved\":{}", m.total_reserved);
    text_.add("}}");
    ++counts_.memory;
  }
}

}  // namespace ridge::trace_report
