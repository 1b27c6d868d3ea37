// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/run_file.hpp>
#include <ridge/base/escape.hpp>
#include <ridge/report/render.hpp>
#include <ridge/store/run_import.hpp>

#include "commands/commands.hpp"
#include "session/run_settings.hpp"
#include "stored/named_run.hpp"

namespace ridge::app {
namespace {

struct export_options {
  std::string run{};
  std::string format{"json"};
};

void print_run(const context& program, const model::run& run, const std::string& format) {
  program.print(report::render(run, *report::named_format(format),
                               {.columns = program.out.columns, .color = program.out.colored}));
}

int export_run(const context& program, const export_options& o) {
  const auto word = o.run.empty() ? "last" : o.run;
  const auto run = run_named(program, word);
  if (!run) return program.refuse(run.why(), code_of_no_run(program, word));
  print_run(program, *run, o.format);
  return exit_code::good;
}

error in_file(const std::string& file, const error& why) {
  return {fmt::format("{}: {}", file, why.message), why.remedy};
}

// All files are read before the first is stored, so that a file that is wrong changes nothing.
int import_runs(const context& program, const std::vector<std::string>& files) {
  std::vector<model::run> runs;
  for (const auto& file : files) {
    auto run = run_of_file(file);
    if (!run) return program.refuse(run.why(), exit_code::file);
    if (const auto fine = store::importable(*run); !fine)
      return program.refuse(in_file(file, fine.why()), exit_code::file);
    runs.push_back(std::move(*run));
  }
  const auto store = open_store(program);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& run = runs[i];
    const auto done = store::import_run(*store, run);
    if (!done) return program.refuse(in_file(files[i], done.why()), exit_code::file);
    if (*done == store::import_outcome::known) {
      program.print(fmt::format("{} is stored already\n", run.id));
      continue;
    }
    program.print(fmt::format("stored {}: {} problem{}, measured {} on {}\n", run.id, run.families.size(),
                              run.families.size() == 1 ? "" : "s", terminal_escaped(run.started),
                              terminal_escaped(run.environment.machine)));
  }
  return exit_code::good;
}

}  // namespace

void add_export(command& parent, context& program) {
  auto o = std::make_shared<export_options>();
  parent.add("export", "Print a stored or saved run in any format")
      .option("RUN", o->run, "RUN|FILE",
              "The run's id, the beginning or end of it, `last`, or a file of a run (last)")
      .choice("--format", o->format, formats(), "Format of the output (json)")
      .runs([&program, o] { return export_run(program, *o); });
}

void add_import(command& parent, context& program) {
  auto files = std::make_shared<std::vector<std::string>>();
  parent.add("import", "Put saved runs into the store, with their raw samples")
      .option("FILES", *files, "FILE", "Files that --save or `ridge export --format json` wrote")
      .required()
      .notes("A run that is stored already, by its id, is left as it is.")
      .runs([&program, files] { return import_runs(program, *files); });
}

}  // namespace ridge::app
