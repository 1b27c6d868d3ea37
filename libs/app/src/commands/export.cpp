// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/report/render.hpp>

#include "commands/commands.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {
namespace {

struct export_options {
  std::string run{};
  std::string format{"json"};
};

int export_run(const context& program, const export_options& o) {
  const auto opened = open_store_for_reading(program);
  if (!opened) return program.refuse(opened.why(), exit_code::unavailable);
  auto& store = **opened;
  auto id = o.run;
  if (id.empty()) {
    const auto last = store.runs({.limit = 1});
    if (last.empty())
      return program.refuse({"the store holds no run", "`ridge run` stores one"}, exit_code::unavailable);
    id = last.front().id;
  }
  const auto run = load_run(store, id);
  if (!run) return program.refuse(run.why(), exit_code::usage);
  program.print(report::render(*run, *report::named_format(o.format),
                               {.columns = program.out.columns, .color = program.out.colored}));
  return exit_code::good;
}

}  // namespace

void add_export(command& parent, context& program) {
  auto o = std::make_shared<export_options>();
  parent.add("export", "Print a stored run in any format")
      .option("RUN", o->run, "RUN", "The run's id, or the beginning or end of it (the newest run)")
      .choice("--format", o->format, formats(), "Format of the output (json)")
      .runs([&program, o] { return export_run(program, *o); });
}

}  // namespace ridge::app
