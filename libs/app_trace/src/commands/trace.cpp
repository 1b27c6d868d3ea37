// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <ridge/app/exit_code.hpp>

#include "commands/trace_commands.hpp"
#include "pages/device_peaks.hpp"
#include "pages/front_page.hpp"
#include "pages/trace_pages.hpp"

namespace ridge::app_trace {
namespace {

using report::document;
using trace_report::scope;

struct trace_options {
  trace_input input{};
  int rows = 20;
  bool by_shape = false;
  bool last_step = false;
  bool verbose = false;
  int ranks_per_node = 0;
  std::string semantics{"exact"};
  std::string operators{};
  peaks_choice peaks{};
  std::vector<std::string> changes{};

  [[nodiscard]] std::size_t row_limit() const { return static_cast<std::size_t>(std::max(rows, 0)); }
};

using page = std::function<result<document>(const scope&, const trace_options&)>;

std::shared_ptr<trace_options> options_of(app::command& command) {
  auto o = std::make_shared<trace_options>();
  add_trace_input(command, o->input);
  add_trace_format(command, o->input);
  command.option("--rows", o->rows, "N", "Rows of long tables (20); 0: all");
  return o;
}

void runs_page(app::command& command, app::context& context, const std::shared_ptr<trace_options>& o,
               page show) {
  command.runs([&context, o, show = std::move(show)] {
    return show_pages(context, o->input, o->row_limit(), [&](const scope& s) { return show(s, *o); });
  });
}

void add_page(app::command& command, app::context& context, const std::string& verb,
              const std::string& summary, document (*make)(const scope&)) {
  auto& to = command.add(verb, summary);
  runs_page(to, context, options_of(to),
            [make](const scope& s, const trace_options&) { return result(make(s)); });
}

int communication(const app::context& context, const trace_options& o) {
  const auto view = view_of(o.input, o.row_limit());
  if (!view) return context.refuse(view.why(), app::exit_code::usage);
  const auto traces = open_traces(context, o.input);
  if (!traces) return context.refuse(traces.why(), app::exit_code::unavailable);
  return print_documents(context, o.input, {trace_report::communication_page(*traces, *view)});
}

int diff(const app::context& context, const trace_options& o) {
  const auto view = view_of(o.input, o.row_limit());
  if (!view) return context.refuse(view.why(), app::exit_code::usage);
  const auto traces = open_traces(context, o.input);
  if (!traces) return context.refuse(traces.why(), app::exit_code::unavailable);
  if (traces->size() != 2)
    return context.refuse({"a difference needs two traces",
                           "name the earlier and the later one; --rank chooses one of a folder"},
                          app::exit_code::usage);
  const auto before = trace_report::scope_of(traces->front(), *view),
             after = trace_report::scope_of(traces->back(), *view);
  if (!before) return context.refuse(before.why(), app::exit_code::usage);
  if (!after) return context.refuse(after.why(), app::exit_code::usage);
  return print_documents(context, o.input, {trace_report::diff_page(*before, *after)});
}

int front(const app::context& context, const trace_options& o) {
  if (o.semantics == "hta")
    return show_pages(context, o.input, o.row_limit(), [&](const scope& s) {
      return result(trace_report::hta_page(s, o.last_step, o.operators));
    });
  return show_front_page(
      context, o.input,
      {.rows = o.row_limit(), .verbose = o.verbose, .ranks_per_node = std::max(o.ranks_per_node, 0)},
      [](const scope& s) { return result(trace_report::summary_page(s)); });
}

void add_kernels(app::command& command, app::context& context) {
  auto& to = command.add("kernels", "Device work by name: counts, times, variation");
  auto o = options_of(to);
  to.flag("--by-shape", o->by_shape, "Show a row for each launch shape of a kernel");
  runs_page(to, context, o, [](const scope& s, const trace_options& options) {
    return result(trace_report::kernels_page(s, options.by_shape));
  });
}

void add_with_peaks(app::command& command, app::context& context, const std::string& verb,
                    const std::string& summary, document (*make)(const scope&, const trace::device_peaks&)) {
  auto& to = command.add(verb, summary);
  auto o = options_of(to);
  add_peaks_choice(to, o->peaks);
  runs_page(to, context, o, [make](const scope& s, const trace_options& options) -> result<document> {
    const auto peaks = peaks_for(*s.source, options.peaks);
    return peaks ? result(make(s, *peaks)) : result<document>(peaks.why());
  });
}

int critical_path(const app::context& context, const trace_options& o) {
  const auto view = view_of(o.input, o.row_limit());
  if (!view) return context.refuse(view.why(), app::exit_code::usage);
  const auto traces = open_traces(context, o.input);
  if (!traces) return context.refuse(traces.why(), app::exit_code::unavailable);
  std::vector<document> pages;
  const auto add = [&pages](result<document> made) -> std::optional<error> {
    if (!made) return made.why();
    pages.push_back(std::move(*made));
    return std::nullopt;
  };
  if (traces->size() > 1 && o.changes.empty()) {
    if (const auto why = add(trace_report::job_path_page(*traces, *view)))
      return context.refuse(*why, app::exit_code::usage);
  } else {
    for (const auto& t : *traces) {
      const auto s = trace_report::scope_of(t, *view);
      const auto why = s ? add(trace_report::critical_path_page(*s, o.changes)) : std::optional(s.why());
      if (why) return context.refuse(*why, app::exit_code::usage);
    }
  }
  return print_documents(context, o.input, pages);
}

void add_critical_path(app::command& command, app::context& context) {
  auto& to = command.add("critical-path",
                         "What the longest chain of dependent work was spent on, and what would shorten it");
  auto o = options_of(to);
  to.option("--what-if", o->changes, "CHANGE",
            "Scale a part and recompute: compute=0.5, launch-delay=0, kernel:NAME=0.8 (repeats)");
  to.notes(
      "Of several ranks: one path, which goes from a collective to the rank that came last to it. "
      "--what-if and --rank N look at each rank alone.");
  to.runs([&context, o] { return critical_path(context, *o); });
}

void add_several(app::command& command, app::context& context, const std::string& verb,
                 const std::string& summary, int (*run)(const app::context&, const trace_options&)) {
  auto& to = command.add(verb, summary);
  auto o = options_of(to);
  to.runs([&context, o, run] { return run(context, *o); });
}

}  // namespace

void add_trace(app::command& command, app::context& context) {
  auto& trace = command.add("trace", "Show where the time of a profile went");
  auto o = options_of(trace);
  trace
      .choice(
          "--semantics", o->semantics, {"exact", "hta"},
          "exact: as docs/guide/trace.md defines them; hta: the figures that Holistic Trace Analysis gives, "
          "and why they differ (exact)")
      .flag("--last-step", o->last_step,
            "With --semantics hta: count the last ProfilerStep, which HTA leaves out")
      .option("--sequences", o->operators, "OPERATOR",
              "With --semantics hta: show the sequences of works below operators of this name (aten::linear)")
      .notes(
          "Without one of these commands it prints a summary; of a folder or archive of several ranks, the "
          "ranks side by side. A path that holds a slash or a dot is never taken for a command. "
          "docs/guide/trace.md describes how to take profiles and read the pages; `ridge diagnose` says what "
          "to change in the "
          "program.");
  trace.flag("--verbose", o->verbose, "Show every rank of a folder, not only the worst and the best")
      .option("--ranks-per-node", o->ranks_per_node, "N",
              "Ranks 0 to N-1 share the first node, and so on; without it the hosts that the traces record");
  trace.runs([&context, o] { return front(context, *o); });
  add_kernels(trace, context);
  add_page(trace, context, "idle", "Why the GPU was idle, gap by gap", trace_report::idle_page);
  add_several(trace, context, "comm",
              "Communication: bandwidth, time that computation does not hide, which rank waits for which",
              communication);
  add_page(trace, context, "launches",
           "How work reaches the GPU: calls that launch it, their delays, queues, CUDA graphs",
           trace_report::launches_page);
  add_page(trace, context, "copies", "Copies by kind, memory and size", trace_report::copies_page);
  add_page(trace, context, "waits", "What the host waited for", trace_report::waits_page);
  add_critical_path(trace, context);
  add_page(trace, context, "memory", "Allocated memory over time, and what held it at the peak",
           trace_report::memory_page);
  add_page(trace, context, "steps", "Time of each step, and what the GPU did in it",
           trace_report::steps_page);
  add_page(trace, context, "phases", "Time by phase: forward, backward and optimizer, or prefill and decode",
           trace_report::phases_page);
  add_page(trace, context, "overlap",
           "Which kinds of work (computation, communication, copies) ran at the same time",
           trace_report::overlap_page);
  add_with_peaks(trace, context, "ops", "Operators on the roofline, and what could be fused",
                 trace_report::ops_page);
  add_with_peaks(trace, context, "modules", "GPU time, idle time caused and FLOP of each nn.Module",
                 trace_report::modules_page);
  add_with_peaks(trace, context, "ranges", "The same for ranges that you named: NVTX, record_function",
                 trace_report::ranges_page);
  add_with_peaks(trace, context, "counters", "Profiled kernels: what limits each",
                 trace_report::counters_page);
  add_several(trace, context, "diff",
              "What changed between two traces; the parts sum to the whole difference", diff);
  add_trace_html(trace, context);
  add_trace_flame(trace, context);
  add_trace_exports(trace, context);
}

}  // namespace ridge::app_trace
