// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include "xplane_reading.hpp"

namespace ridge::backends::trace_xplane {
namespace {

using trace::category;

// The tracer of Python writes "$train.py:42 step"; other profilers, and so the analyses, "train.py(42):
// step".
std::string python_frame(std::string_view name) {
  name.remove_prefix(1);
  const auto space = name.find(' '), colon = name.rfind(':', space);
  if (space == std::string_view::npos || colon == std::string_view::npos || colon > space)
    return std::string(name);
  return fmt::format("{}({}): {}", name.substr(0, colon), name.substr(colon + 1, space - colon - 1),
                     name.substr(space + 1));
}

// Names that XLA's runtime gives, rather than its user.
bool is_of_runtime(std::string_view name) {
  return name.find("::") != std::string_view::npos || name.starts_with("PjitFunction(") ||
         name.starts_with("ParseArguments") || name.starts_with("ThunkExecutor") ||
         name.starts_with("Thunk:");
}

category kind_of_call(const timed_event& e) {
  if (e.name.starts_with('$')) return category::python;
  if (e.stats.step) return category::annotation;
  if (e.stats.correlation != 0) return category::api;
  return !e.stats.hlo_op.empty() || is_of_runtime(e.name) ? category::op : category::annotation;
}

void add_call(xplane_reading& reading, const timed_event& e, trace::track_id thread,
              std::int64_t thread_number) {
  const auto kind = kind_of_call(e);
  auto named = e;
  std::string text;
  if (kind == category::python) text = python_frame(e.name);
  if (e.stats.step) text = fmt::format("{} step {}", e.name, *e.stats.step);
  if (!text.empty()) named.name = text;
  const auto track = kind == category::python
                         ? reading.builder.track_of(trace::track_kind::python, reading.process, thread_number)
                         : thread;
  auto row = reading.row_of(named, track);
  row.kind = kind;
  if (kind == category::op)
    reading.builder.add(row, trace::op_detail{});
  else
    reading.builder.add(row);
}

void add_arrow(xplane_reading& reading, const timed_event& e, trace::track_id track) {
  const auto& made = e.stats.producer;
  if (made.id) reading.producers.insert_or_assign({made.type, *made.id}, std::pair(e.start_ns, track));
  const auto& used = e.stats.consumer;
  if (!used.id) return;
  const auto at = reading.producers.find({used.type, *used.id});
  if (at == reading.producers.end()) return;
  reading.builder.add(trace::flow{.id = static_cast<std::uint64_t>(*used.id),
                                  .from_ns = at->second.first,
                                  .to_ns = e.start_ns,
                                  .from_track = at->second.second,
                                  .to_track = track});
}

}  // namespace

void read_host(xplane_reading& reading, const plane& p) {
  stat_reader stats(p);
  for (const auto message : p.lines) {
    const auto l = read_line(message);
    const auto thread = reading.track_of(trace::track_kind::thread, l.id, l.name);
    reading.each_event(l, p, stats, [&](const timed_event& e) {
      reading.has_steps = reading.has_steps || e.stats.step;
      add_call(reading, e, thread, l.id);
      add_arrow(reading, e, thread);
    });
  }
}

}  // namespace ridge::backends::trace_xplane
