// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/base/units.hpp>
#include <ridge/trace_report/perfetto.hpp>

#include "commands/trace_commands.hpp"
#include "pages/placed_traces.hpp"
#include "pages/trace_diagnosis.hpp"
#include "pages/trace_pages.hpp"

namespace ridge::app_trace {
namespace {

struct trace_export_options {
  trace_input input{};
  std::string output{};
};

int write_all(const app::context& context, const trace_export_options& o,
              std::span<const trace_report::placed_trace> placed,
              const std::vector<trace_report::marker>& findings) {
  const auto number = [](std::uint64_t n) { return format_count(static_cast<long long>(n)); };
  std::uint64_t stretches = 0;
  for (const auto& p : placed) stretches += p.critical_path.size();
  app::output_file file(o.output);
  const auto counts =
      trace_report::write_perfetto(placed, findings, [&](std::string_view text) { file.write(text); });
  file.finish();
  context.tell(
      fmt::format("wrote {}: {} events, {} arrows, {} counter values, {} events as the bytes of their file; "
                  "{} on lanes of "
                  "their own; {} ranges of findings, {} stretches of the critical path\n",
                  o.output, number(counts.events), number(counts.arrows), number(counts.values),
                  number(counts.original), number(counts.moved), number(findings.size()), number(stretches)));
  return app::exit_code::good;
}

std::vector<trace_report::placed_trace> on_their_own_clocks(std::span<const trace::trace> traces) {
  std::vector<trace_report::placed_trace> placed;
  for (const auto& t : traces)
    placed.push_back(
        {.source = &t, .label = traces.size() > 1 ? fmt::format("trace {}", placed.size()) : ""});
  return placed;
}

int write_traces(const app::context& context, const trace_export_options& o, bool one_clock) {
  const auto with = diagnose_options_of(o.input, {});
  if (!with) return context.refuse(with.why(), app::exit_code::usage);
  const auto traces = open_traces(context, o.input);
  if (!traces) return context.refuse(traces.why(), app::exit_code::unavailable);
  auto placed = one_clock ? place(*traces, with->names) : placed_traces{.all = on_their_own_clocks(*traces)};
  for (const auto& note : placed.notes) context.tell(note + '\n');
  for (auto& p : placed.all)
    p.critical_path = trace_report::critical_path_markers(*p.source, with->names, p.clock);
  return write_all(context, o, placed.all, markers_on(diagnosis_of(context, *traces, *with), placed.all));
}

int merge(const app::context& context, const trace_export_options& o) {
  return write_traces(context, o, true);
}

int perfetto(const app::context& context, const trace_export_options& o) {
  return write_traces(context, o, false);
}

void add_export(app::command& command, app::context& context, const std::string& verb,
                const std::string& summary, int (*run)(const app::context&, const trace_export_options&)) {
  auto& to = command.add(verb, summary);
  auto o = std::make_shared<trace_export_options>();
  o->output = "trace.perfetto.json";
  add_trace_input(to, o->input);
  to.option("--output", o->output, "FILE", "The file to write (trace.perfetto.json)");
  to.runs([&context, o, run] { return run(context, *o); });
}

}  // namespace

void add_trace_exports(app::command& command, app::context& context) {
  add_export(command, context, "merge",
             "Put ranks on one clock and write them as one trace for ui.perfetto.dev", merge);
  add_export(command, context, "perfetto", "Write any trace for ui.perfetto.dev; nothing is dropped",
             perfetto);
}

}  // namespace ridge::app_trace
