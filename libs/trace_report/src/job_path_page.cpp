// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include <ridge/trace/job_path.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

std::string rank_text(const trace::trace& t, std::size_t index) {
  return t.source.rank >= 0 ? fmt::format("rank {}", t.source.rank) : fmt::format("trace {}", index);
}

trace::nanoseconds sum_of(const trace::path_totals& totals) {
  trace::nanoseconds sum = 0;
  for (const auto ns : totals) sum += ns;
  return sum;
}

trace::critical_path as_one_path(const trace::job_path& path) {
  return {.window = path.window, .segments = {}, .by_class = path.by_class};
}

sheet ranks_on_path_sheet(std::span<const trace::trace> traces, const trace::job_path& path,
                          std::size_t rows) {
  sheet made{.key = "ranks",
             .title = "Where the critical path runs",
             .fields = {{"rank", "rank"},
                        {"ns", "time", unit::nanoseconds},
                        {"pct", "of the path", unit::percent},
                        {"compute_ns", "compute", unit::nanoseconds},
                        {"communication_ns", "communication", unit::nanoseconds},
                        {"other_ns", "all else", unit::nanoseconds}}};
  std::vector<std::size_t> order;
  for (std::size_t t = 0; t < path.by_trace.size(); ++t)
    if (sum_of(path.by_trace[t]) > 0) order.push_back(t);
  std::ranges::stable_sort(order, std::greater{}, [&](auto t) { return sum_of(path.by_trace[t]); });
  const auto shown = shown_rows(order.size(), rows, made);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& totals = path.by_trace[order[i]];
    const auto all = sum_of(totals);
    const auto compute = totals[static_cast<std::size_t>(trace::path_class::compute)],
               communication = totals[static_cast<std::size_t>(trace::path_class::communication)];
    made.rows.push_back(
        {.values = {rank_text(traces[order[i]], order[i]), all,
                    percent_of(static_cast<double>(all), static_cast<double>(path.window.length_ns())),
                    compute, communication, all - compute - communication}});
  }
  return made;
}

sheet job_classes_sheet(const trace::job_path& path) {
  sheet made{
      .key = "classes",
      .title = "What it was spent on",
      .fields = {
          {"class", "class"}, {"ns", "time", unit::nanoseconds}, {"pct", "of the path", unit::percent}}};
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < path.by_class.size(); ++c)
    if (path.by_class[c] > 0) order.push_back(c);
  std::ranges::stable_sort(order, std::greater{}, [&](auto c) { return path.by_class[c]; });
  for (const auto c : order)
    made.rows.push_back({.values = {std::string(name(static_cast<trace::path_class>(c))), path.by_class[c],
                                    percent_of(static_cast<double>(path.by_class[c]),
                                               static_cast<double>(path.window.length_ns()))}});
  return made;
}

sheet job_parts_sheet(std::span<const trace::trace> traces, const trace::job_path& path, const view& v) {
  sheet made{.key = "parts",
             .title = "The longest parts of the path",
             .fields = {{"rank", "rank"},
                        {"class", "class"},
                        name_field(v.full_names),
                        {"short_name", ""},
                        {"count", "times", unit::count},
                        {"ns", "time", unit::nanoseconds}}};
  struct part {
    std::uint64_t count = 0;
    trace::nanoseconds ns = 0;
  };
  std::map<std::tuple<std::uint32_t, trace::path_class, trace::name_id>, part> parts;
  for (const auto& s : path.segments) {
    const auto event = s.segment.event;
    auto& p = parts[{s.trace, s.segment.is, event == trace::none ? 0 : traces[s.trace].events.name[event]}];
    ++p.count;
    p.ns += s.range.length_ns();
  }
  std::vector<std::pair<std::tuple<std::uint32_t, trace::path_class, trace::name_id>, part>> order(
      parts.begin(), parts.end());
  std::ranges::stable_sort(order, std::greater{}, [](const auto& p) { return p.second.ns; });
  const auto shown = shown_rows(order.size(), v.rows, made);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [t, is, id] = order[i].first;
    const auto text = traces[t].names[id];
    made.rows.push_back({.values = {rank_text(traces[t], t), std::string(name(is)), std::string(text),
                                    std::string(), whole(order[i].second.count), order[i].second.ns}});
  }
  give_short_names(made);
  return made;
}

}  // namespace

result<document> job_path_page(std::span<const trace::trace> traces, const view& v) {
  std::vector<std::vector<trace::work_class>> classes;
  std::vector<std::optional<trace::time_range>> windows;
  for (const auto& t : traces) {
    auto s = scope_of(t, v);
    if (!s) return s.why();
    classes.push_back(std::move(s->classes));
    windows.push_back(s->window);
  }
  const auto matched = trace::match_collectives(traces, v.names);
  const auto clocks = trace::align_clocks(traces, matched);
  const auto path = trace::job_path_of(traces, classes, matched, clocks, windows);
  document d{.schema = "ridge.trace.job_path/1"};
  const auto bound = std::string(name(bound_of(as_one_path(path)).first));
  d.title = fmt::format("{} traces: bound by {}", traces.size(), bound);
  d.facts = {{"traces", whole(traces.size())},
             {"window_ns", path.window.length_ns()},
             {"bound_by", bound},
             {"crossings", whole(path.crossings)}};
  d.sheets = {ranks_on_path_sheet(traces, path, v.rows), job_classes_sheet(path),
              job_parts_sheet(traces, path, v)};
  d.notes.push_back(fmt::format("The path goes {} times from a collective to the rank that came last to it.",
                                path.crossings));
  if (const auto sure = clocks.uncertainty_ns())
    d.notes.push_back(fmt::format("Clocks agree within {}.", seconds_text(*sure)));
  if (!path.left_out.empty())
    d.notes.push_back(fmt::format("{} traces are left out: nothing relates their clocks to the first one's.",
                                  path.left_out.size()));
  return d;
}

}  // namespace ridge::trace_report
