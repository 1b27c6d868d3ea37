// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include <ridge/model/json.hpp>
#include <ridge/report/render.hpp>

#include "exit_code.hpp"
#include "commands.hpp"

namespace ridge::app {
namespace {

struct options {
  std::string file{};
  std::string experiment{};
};

int print_table(const context& in, const options& o) {
  std::ifstream file(o.file, std::ios::binary);
  if (!file)
    return in.refuse({fmt::format("cannot read {}", o.file), "give a file written by `ridge run --save`"},
                     exit_code::file);
  const auto run = model::run_from_json(std::string{std::istreambuf_iterator<char>(file), {}});
  if (!run) return in.refuse(run.why(), exit_code::file);
  in.print(o.experiment.empty() ? report::readme_summary(*run) : report::readme_table(*run, o.experiment));
  return exit_code::good;
}

}  // namespace

void add_readme_table(command& to, context& in) {
  auto o = std::make_shared<options>();
  to.add("readme-table", "Print the table of a README from a file of results (tools/readme-tables)")
      .option("FILE", o->file, "FILE", "Written by `ridge run --save`")
      .required()
      .option("ID", o->experiment, "ID", "The experiment; a summary of all by default")
      .hidden()
      .runs([&in, o] { return print_table(in, *o); });
}

}  // namespace ridge::app
