// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/trace_report/diagnosis_page.hpp>

#include "commands/trace_commands.hpp"
#include "pages/trace_diagnosis.hpp"
#include "pages/trace_pages.hpp"

namespace ridge::app_trace {
namespace {

struct diagnose_options {
  trace_input input{};
  diagnosis_input diagnosis{};
  std::string baseline{};
};

int diagnose(const app::context& context, const diagnose_options& o) {
  auto with = diagnose_options_of(o.input, o.diagnosis);
  if (!with) return context.refuse(with.why(), app::exit_code::usage);
  const auto traces = open_traces(context, o.input);
  if (!traces) return context.refuse(traces.why(), app::exit_code::unavailable);
  result<std::vector<trace::trace>> before = std::vector<trace::trace>{};
  if (!o.baseline.empty()) {
    auto from = o.input;
    from.paths = {o.baseline};
    before = open_traces(context, from);
    if (!before) return context.refuse(before.why(), app::exit_code::unavailable);
    with->baseline = &before->front();
  }
  const auto found = diagnosis_of(context, *traces, *with);
  return print_documents(context, o.input,
                         {trace_report::diagnosis_page(found, o.input.paths, o.input.full_names)});
}

}  // namespace

void add_diagnose(app::command& command, app::context& context) {
  auto o = std::make_shared<diagnose_options>();
  auto& verb = command.add(
      "diagnose", "List what slows a profiled program down, by the seconds that a change would save");
  add_trace_input(verb, o->input);
  add_trace_format(verb, o->input);
  add_diagnosis_input(verb, o->diagnosis);
  verb.option("--baseline", o->baseline, "FILE",
              "Show what changed since this earlier profile of the same program")
      .notes(
          "Several files, or a folder, are the ranks of one job. Savings of different findings do not "
          "overlap. Where a profile lacks what a finding needs, it is said what to record. "
          "docs/guide/trace.md explains the rules, `ridge trace` shows the figures behind them.")
      .runs([&context, o] { return diagnose(context, *o); });
}

}  // namespace ridge::app_trace
