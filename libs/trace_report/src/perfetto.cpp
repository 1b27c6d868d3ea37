// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace_report/perfetto.hpp>

#include <ridge/trace/critical_path.hpp>
#include <ridge/trace/work_class.hpp>

#include "json_string.hpp"
#include "overflow_lanes.hpp"
#include "perfetto_model.hpp"
#include "perfetto_original.hpp"
#include "perfetto_text.hpp"

namespace ridge::trace_report {
namespace {

constexpr std::uint64_t findings_process = 1'999'999'001, path_process = 1'999'999'002;

void name_row(perfetto_text& text, std::string_view kind, std::uint64_t process, std::uint64_t thread,
              std::string_view name) {
  text.next();
  text.put("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":", kind, process,
           thread);
  append_json_text(text.text(), name);
  text.add("}}");
}

void write_marker(perfetto_text& text, const marker& m, std::string_view kind, std::uint64_t process,
                  std::uint64_t thread) {
  text.next();
  text.put("{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":", kind);
  append_json_text(text.text(), m.name);
  text.put(",\"pid\":{},\"tid\":{}", process, thread);
  text.time("ts", m.start_ns);
  text.time("dur", m.end_ns - m.start_ns);
  text.put(",\"args\":{{\"{}\":", kind);
  append_json_text(text.text(), m.text);
  text.add("}}");
}

void write_findings(perfetto_text& text, std::span<const marker> all) {
  if (all.empty()) return;
  name_row(text, "process_name", findings_process, 1, "Ridge: findings");
  overflow_lanes lanes;
  for (const auto& m : all)
    write_marker(text, m, "finding", findings_process, 1 + lanes.place(m.start_ns, m.end_ns));
}

void write_paths(perfetto_text& text, std::span<const placed_trace> traces) {
  bool named = false;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (traces[i].critical_path.empty()) continue;
    if (!named) name_row(text, "process_name", path_process, 1, "Ridge: critical path");
    named = true;
    name_row(text, "thread_name", path_process, i + 1,
             traces[i].label.empty() ? "critical path" : traces[i].label);
    for (const auto& m : traces[i].critical_path) write_marker(text, m, "critical path", path_process, i + 1);
  }
}

// What the files held besides events: at the root where there is one file, else a list with an entry each.
std::string root_of(const std::vector<std::string>& members) {
  if (members.size() == 1) return members[0].empty() ? "" : ",\n" + members[0];
  std::string list;
  for (const auto& m : members) list += (list.empty() ? "{" : ",\n{") + m + "}";
  return ",\n\"ridge sources\":[" + list + "]";
}

}  // namespace

perfetto_counts write_perfetto(std::span<const placed_trace> traces, std::span<const marker> findings,
                               const std::function<void(std::string_view)>& out) {
  perfetto_text text(out);
  perfetto_counts counts;
  perfetto_processes processes;
  std::vector<std::string> members(traces.size());
  text.add("{\"traceEvents\":[\n");
  for (std::uint32_t i = 0; i < traces.size(); ++i) {
    if (const auto source = original_of(*traces[i].source))
      perfetto_original(traces[i], i, processes, text, counts).write(*source, members[i]);
    else
      perfetto_model(traces[i], i, text, counts).write();
  }
  write_findings(text, findings);
  write_paths(text, traces);
  auto root = root_of(members);
  if (!root.starts_with(",\n\"displayTimeUnit\"") && root.find("\n\"displayTimeUnit\"") == std::string::npos)
    root += ",\n\"displayTimeUnit\":\"ns\"";
  text.add("\n]" + root + "}\n");
  text.flush();
  return counts;
}

std::vector<marker> critical_path_markers(const trace::trace& t, const trace::communication_names& names,
                                          const trace::clock_map& clock) {
  const auto classes = trace::classes_of(t, names);
  std::vector<marker> made;
  for (const auto& s : trace::path_graph(t, classes).path().segments) {
    const auto what = std::string(name(s.is));
    made.push_back({.start_ns = clock.to_common(s.range.start_ns),
                    .end_ns = clock.to_common(s.range.end_ns),
                    .name = s.event == trace::none ? what : std::string(t.name_of(s.event)),
                    .text = what});
  }
  return made;
}

}  // namespace ridge::trace_report
