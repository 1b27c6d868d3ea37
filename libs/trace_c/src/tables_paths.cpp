// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge_trace.h>
#include <ridge/trace/critical_path.hpp>

#include "hta_columns.hpp"
#include "refused.hpp"
#include "tables.hpp"

namespace ridge::trace_c {
namespace {

// The ranges of the host whose name holds a part, by start.
std::vector<trace::time_range> ranges_named(const trace::trace& t, std::string_view part) {
  std::vector<trace::time_range> found;
  for (trace::event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] != trace::category::annotation && t.events.kind[e] != trace::category::op) continue;
    if (t.name_of(e).find(part) == std::string_view::npos) continue;
    found.push_back({t.events.start_ns[e], t.events.end_ns(e)});
  }
  std::ranges::sort(found, {}, &trace::time_range::start_ns);
  return found;
}

std::optional<trace::time_range> window_of(const trace::trace& t, const arguments& given) {
  const auto part = given.text("annotation", "");
  const auto first = given.integer("first", 0), last = given.integer("last", first);
  if (part.empty()) return std::nullopt;
  const auto found = ranges_named(t, part);
  const auto count = static_cast<std::int64_t>(found.size());
  if (first < 0 || last < first || last >= count)
    throw refused(ridge_trace_no_answer,
                  {"instances " + std::to_string(first) + " to " + std::to_string(last) + " of \"" + part +
                       "\" are asked for, and the trace holds " + std::to_string(count),
                   "name a range that it holds, counted from 0"});
  return trace::time_range{
      found[static_cast<std::size_t>(first)].start_ns,
      std::ranges::max(std::span(found).subspan(static_cast<std::size_t>(first),
                                                static_cast<std::size_t>(last - first + 1)),
                       {}, &trace::time_range::end_ns)
          .end_ns};
}

trace::critical_path path_of(const trace::trace& t, const arguments& given) {
  const auto classes = trace::classes_of(t, trace::communication_names::built_in());
  return trace::path_graph(t, classes, {.window = window_of(t, given)}).path();
}

table critical_path(const trace_set& traces, const arguments& given) {
  table out;
  auto &rank = out.add_integers("rank"), &start = out.add_integers("start_ns"),
       &length = out.add_integers("duration_ns");
  auto &kind = out.add_texts("class"), &because = out.add_texts("because"), &event = out.add_texts("name");
  for (const auto r : ranks_of(traces, given)) {
    const auto& t = traces.ranks().at(r);
    for (const auto& s : path_of(t, given).segments) {
      rank.push_back(r);
      start.push_back(s.range.start_ns);
      length.push_back(s.range.length_ns());
      kind.add(name(s.is));
      because.add(name(s.because));
      event.add(s.event == trace::none ? "" : t.name_of(s.event));
    }
  }
  return out;
}

table critical_path_classes(const trace_set& traces, const arguments& given) {
  table out;
  auto& rank = out.add_integers("rank");
  auto &kind = out.add_texts("class"), &bound = out.add_texts("bound_by");
  auto& sum = out.add_integers("duration_ns");
  auto& share = out.add_doubles("share");
  for (const auto r : ranks_of(traces, given)) {
    const auto path = path_of(traces.ranks().at(r), given);
    for (int c = 0; c < trace::path_class_count; ++c) {
      const auto is = static_cast<trace::path_class>(c);
      if (path.total(is) == 0) continue;
      rank.push_back(r);
      kind.add(name(is));
      bound.add(name(trace::bound_of(is)));
      sum.push_back(path.total(is));
      share.push_back(static_cast<double>(path.total(is)) / static_cast<double>(path.window.length_ns()));
    }
  }
  return out;
}

table works(const trace_set& traces, const arguments& given) {
  table out;
  auto &rank = out.add_integers("rank"), &start = out.add_integers("start_ns"),
       &length = out.add_integers("duration_ns"), &device = out.add_integers("device"),
       &stream = out.add_integers("stream"), &bytes = out.add_integers("bytes");
  auto& work = out.add_texts("name");
  for (const auto r : ranks_of(traces, given)) {
    const auto& t = traces.ranks().at(r);
    for (const auto& w : t.works) {
      rank.push_back(r);
      start.push_back(w.start_ns);
      length.push_back(w.duration_ns());
      device.push_back(w.device);
      stream.push_back(w.stream);
      bytes.push_back(w.bytes);
      work.add(t.names[w.name]);
    }
  }
  return out;
}

}  // namespace

void add_path_tables(answers& all) {
  all["critical_path"] = critical_path;
  all["critical_path_classes"] = critical_path_classes;
  all["works"] = works;
}

const answers& all_answers() {
  static const answers all = [] {
    answers made;
    add_breakdown_tables(made);
    add_stream_tables(made);
    add_program_tables(made);
    add_path_tables(made);
    return made;
  }();
  return all;
}

}  // namespace ridge::trace_c
