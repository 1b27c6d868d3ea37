// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/run_file.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/render.hpp>

#include "commands/commands.hpp"

namespace ridge::app {
namespace {

struct readme_table_options {
  std::string file{};
  std::string experiment{};
};

int print_table(const context& program, const readme_table_options& o) {
  const auto run = run_of_file(o.file);
  if (!run) return program.refuse(run.why(), exit_code::file);
  program.print(o.experiment.empty() ? report::readme_summary(*run)
                                     : report::readme_table(*run, o.experiment));
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
  parent.add("readme-table", "Print the table of a README from a file of results (tools/readme-tables)")
      .option("FILE", o->file, "FILE", "A file written by `ridge run --save`")
      .required()
      .option("ID", o->experiment, "ID", "The experiment; a summary of all by default")
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
