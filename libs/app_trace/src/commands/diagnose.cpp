// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/trace_report/diagnosis_page.hpp>

#include "commands/trace_commands.hpp"
#include "pages/trace_diagnosis.hpp"
#include "pages/trace_pages.hpp"

namespace ridge::app_trace {
namespace {

struct options {
  trace_input from{};
  diagnosis_input with{};
  std::string baseline{};
};

int diagnose(const app::context& in, const options& o) {
  auto with = diagnose_options_of(o.from, o.with);
  if (!with) return in.refuse(with.why(), app::exit_code::usage);
  const auto traces = open_traces(in, o.from);
  if (!traces) return in.refuse(traces.why(), app::exit_code::unavailable);
  result<std::vector<trace::trace>> before = std::vector<trace::trace>{};
  if (!o.baseline.empty()) {
    auto from = o.from;
    from.paths = {o.baseline};
    before = open_traces(in, from);
    if (!before) return in.refuse(before.why(), app::exit_code::unavailable);
    with->baseline = &before->front();
  }
  const auto found = diagnosis_of(in, *traces, *with);
  print_documents(in, o.from, {trace_report::diagnosis_page(found, o.from.paths)});
  return app::exit_code::good;
}

}  // namespace

void add_diagnose(app::command& to, app::context& in) {
  auto o = std::make_shared<options>();
  auto& command =
      to.add("diagnose", "Say what to do about a profile: findings by seconds saved, or what is missing");
  add_trace_input(command, o->from);
  add_trace_format(command, o->from);
  add_diagnosis_input(command, o->with);
  command
      .option("--baseline", o->baseline, "FILE",
              "Show what changed since this earlier profile of the same program")
      .notes(
          "Several files, or a folder, are the ranks of one job. No second is promised twice; a rule that "
          "cannot know says so. "
          "docs/guide/trace.md explains the rules, `ridge trace` shows the figures behind them.")
      .runs([&in, o] { return diagnose(in, *o); });
}

}  // namespace ridge::app_trace
