// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <ridge/app/exit_code.hpp>

#include "commands/trace_commands.hpp"
#include "pages/device_peaks.hpp"
#include "pages/trace_pages.hpp"

namespace ridge::app_trace {
namespace {

using report::document;
using trace_report::scope;

struct options {
  trace_input from{};
  int rows = 20;
  bool by_shape = false;
  bool last_step = false;
  std::string semantics{"exact"};
  peaks_choice peaks{};
  std::vector<std::string> changes{};

  [[nodiscard]] std::size_t row_limit() const { return static_cast<std::size_t>(std::max(rows, 0)); }
};

using page = std::function<result<document>(const scope&, const options&)>;

std::shared_ptr<options> options_of(app::command& to) {
  auto o = std::make_shared<options>();
  add_trace_input(to, o->from);
  add_trace_format(to, o->from);
  to.option("--rows", o->rows, "N", "Rows of long tables (20); 0: all");
  return o;
}

void runs_page(app::command& to, app::context& in, const std::shared_ptr<options>& o, page show) {
  to.runs([&in, o, show = std::move(show)] {
    return show_pages(in, o->from, o->row_limit(), [&](const scope& s) { return show(s, *o); });
  });
}

void add_page(app::command& of, app::context& in, const std::string& verb, const std::string& summary,
              document (*make)(const scope&)) {
  auto& to = of.add(verb, summary);
  runs_page(to, in, options_of(to), [make](const scope& s, const options&) { return result(make(s)); });
}

int communication(const app::context& in, const options& o) {
  const auto view = view_of(o.from, o.row_limit());
  if (!view) return in.refuse(view.why(), app::exit_code::usage);
  const auto traces = open_traces(in, o.from);
  if (!traces) return in.refuse(traces.why(), app::exit_code::unavailable);
  print_documents(in, o.from, {trace_report::communication_page(*traces, *view)});
  return app::exit_code::good;
}

int diff(const app::context& in, const options& o) {
  const auto view = view_of(o.from, o.row_limit());
  if (!view) return in.refuse(view.why(), app::exit_code::usage);
  const auto traces = open_traces(in, o.from);
  if (!traces) return in.refuse(traces.why(), app::exit_code::unavailable);
  if (traces->size() != 2)
    return in.refuse(
        {"a diff is of two traces", "name the one before and the one after; --rank chooses in a folder"},
        app::exit_code::usage);
  const auto before = trace_report::scope_of(traces->front(), *view),
             after = trace_report::scope_of(traces->back(), *view);
  if (!before) return in.refuse(before.why(), app::exit_code::usage);
  if (!after) return in.refuse(after.why(), app::exit_code::usage);
  print_documents(in, o.from, {trace_report::diff_page(*before, *after)});
  return app::exit_code::good;
}

void add_kernels(app::command& of, app::context& in) {
  auto& to = of.add("kernels", "Device work by name: counts, times, variation");
  auto o = options_of(to);
  to.flag("--by-shape", o->by_shape, "Show a row for each launch shape of a kernel");
  runs_page(to, in, o, [](const scope& s, const options& with) {
    return result(trace_report::kernels_page(s, with.by_shape));
  });
}

void add_with_peaks(app::command& of, app::context& in, const std::string& verb, const std::string& summary,
                    document (*make)(const scope&, const trace::device_peaks&)) {
  auto& to = of.add(verb, summary);
  auto o = options_of(to);
  add_peaks_choice(to, o->peaks);
  runs_page(to, in, o, [make](const scope& s, const options& with) -> result<document> {
    const auto peaks = peaks_for(*s.of, with.peaks);
    return peaks ? result(make(s, *peaks)) : result<document>(peaks.why());
  });
}

void add_critical_path(app::command& of, app::context& in) {
  auto& to = of.add("critical-path",
                    "What the longest chain of dependent work was spent on, and what would shorten it");
  auto o = options_of(to);
  to.option("--what-if", o->changes, "CHANGE",
            "Scale a part and recompute: compute=0.5, launch-delay=0, kernel:NAME=0.8 (repeats)");
  runs_page(to, in, o, [](const scope& s, const options& with) {
    return trace_report::critical_path_page(s, with.changes);
  });
}

void add_several(app::command& of, app::context& in, const std::string& verb, const std::string& summary,
                 int (*run)(const app::context&, const options&)) {
  auto& to = of.add(verb, summary);
  auto o = options_of(to);
  to.runs([&in, o, run] { return run(in, *o); });
}

}  // namespace

void add_trace(app::command& to, app::context& in) {
  auto& trace = to.add("trace", "Say where the time of a profile went");
  auto o = options_of(trace);
  trace
      .choice("--semantics", o->semantics, {"exact", "hta"},
              "hta: Holistic Trace Analysis' own figures, and why they differ (exact)")
      .flag("--last-step", o->last_step,
            "With --semantics hta: count the last ProfilerStep, which HTA leaves out")
      .notes(
          "Without a verb: the summary. A path with a slash or a dot is never a verb. docs/guide/trace.md "
          "tells how to take "
          "profiles and read the pages; `ridge diagnose` says what to do about them.");
  runs_page(trace, in, o, [](const scope& s, const options& with) {
    return result(with.semantics == "hta" ? trace_report::hta_page(s, with.last_step)
                                          : trace_report::summary_page(s));
  });
  add_kernels(trace, in);
  add_page(trace, in, "idle", "Why the GPU was idle, gap by gap", trace_report::idle_page);
  add_several(trace, in, "comm", "Communication: bandwidth, exposure, who waits for whom", communication);
  add_page(trace, in, "launches", "How work reaches the GPU: calls, delays, queues, graphs",
           trace_report::launches_page);
  add_page(trace, in, "copies", "Copies by kind, memory and size", trace_report::copies_page);
  add_page(trace, in, "waits", "What the host waited for", trace_report::waits_page);
  add_critical_path(trace, in);
  add_page(trace, in, "memory", "Allocated memory over time, and what held it at the peak",
           trace_report::memory_page);
  add_page(trace, in, "steps", "Each step's time and states", trace_report::steps_page);
  add_page(trace, in, "phases", "Forward, backward, optimizer; prefill, decode", trace_report::phases_page);
  add_page(trace, in, "overlap", "Which classes of work ran together", trace_report::overlap_page);
  add_with_peaks(trace, in, "ops", "Operators on the roofline, and what could be fused",
                 trace_report::ops_page);
  add_with_peaks(trace, in, "counters", "Profiled kernels: what limits each", trace_report::counters_page);
  add_several(trace, in, "diff", "What changed between two traces; the causes add up", diff);
  add_trace_html(trace, in);
  add_trace_flame(trace, in);
  add_trace_exports(trace, in);
}

}  // namespace ridge::app_trace
