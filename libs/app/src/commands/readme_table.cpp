// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/run_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/model/json.hpp>
#include <ridge/model/names.hpp>
#include <ridge/report/render.hpp>

#include "commands/commands.hpp"

namespace ridge::app {
namespace {

struct readme_table_options {
  std::vector<std::string> files{};
  std::string experiment{};
  std::string chapter{};
};

// Keeps the problems that are asked for and that no run before had; `seen` grows by them.
void keep_new(model::run& run, const readme_table_options& o, std::set<std::string>& seen) {
  std::erase_if(run.families, [&](const model::family& f) {
    if (!o.experiment.empty() && f.experiment != o.experiment) return true;
    if (!o.chapter.empty() && !f.experiment.starts_with(o.chapter + '.')) return true;
    return !seen.insert(fmt::format("{} {} {}", f.experiment, name(f.backend), model::text(f.problem)))
                .second;
  });
}

int print_table(const context& program, const readme_table_options& o) {
  std::set<std::string> seen;
  std::vector<std::string> tables;
  std::map<std::string, std::vector<model::run>> by_machine;
  for (const auto& file : o.files) {
    auto run = run_of_file(file);
    if (!run) return program.refuse(run.why(), exit_code::file);
    keep_new(*run, o, seen);
    if (run->families.empty()) continue;
    if (o.experiment.empty())
      by_machine[run->environment.machine].push_back(std::move(*run));
    else
      tables.push_back(report::readme_table(*run, o.experiment));
  }
  for (const auto& [machine, runs] : by_machine) tables.push_back(report::readme_summary(runs));
  program.print(join(tables, "\n"));
  return exit_code::good;
}

int pack(const context& program, const std::string& path) {
  auto run = run_of_file(path);
  if (!run) return program.refuse(run.why(), exit_code::file);
  // Where the program lay says nothing of the result, and is a path of somebody's machine.
  if (!run->command.empty())
    run->command.front() = std::filesystem::path(run->command.front()).filename().string();
  program.print(model::packed_json(std::move(*run)) + '\n');
  return exit_code::good;
}

}  // namespace

void add_readme_table(command& parent, context& program) {
  auto o = std::make_shared<readme_table_options>();
  parent.add("readme-table", "Print the tables of a README from files of results (tools/readme-tables)")
      .option("FILE", o->files, "FILE",
              "Files written by `ridge run --save`; a problem that several have is that of the first")
      .required()
      .option("--experiment", o->experiment, "ID",
              "The tables of this experiment; a summary of all by default")
      .option("--chapter", o->chapter, "CHAPTER", "A summary of this chapter alone")
      .hidden()
      .runs([&program, o] { return print_table(program, *o); });
}

void add_pack(command& parent, context& program) {
  auto path = std::make_shared<std::string>();
  parent.add("pack", "Print a file of results in its smallest form, for archiving (tools/keep-results)")
      .option("FILE", *path, "FILE", "A file written by `ridge run --save`")
      .required()
      .hidden()
      .runs([&program, path] { return pack(program, *path); });
}

}  // namespace ridge::app
