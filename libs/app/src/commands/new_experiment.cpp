// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>

#include "catalogue/experiment_folder.hpp"
#include "commands/commands.hpp"

namespace ridge::app {
namespace {

struct new_experiment_options {
  std::string id{};
  std::string dir{"."};
};

int new_experiment(const context& program, const new_experiment_options& o) {
  const auto name = parse_experiment_name(o.id);
  if (!name) return program.refuse(name.why(), exit_code::usage);
  const auto written = write_experiment(*name, folder_for(*name, o.dir));
  if (!written) return program.refuse(written.why(), exit_code::usage);
  std::string text;
  for (const auto& path : *written) text += fmt::format("wrote {}\n", path.lexically_normal().string());
  program.print(
      text +
      fmt::format("\nIt builds and passes as it stands. Next:\n"
                  "  make build ONLY={1}     build the program and this chapter; CMake finds the folder\n"
                  "  build/release/bin/ridge verify {0}\n  build/release/bin/ridge run {0}\n",
                  name->id(), name->chapter));
  return exit_code::good;
}

}  // namespace

void add_new(command& parent, context& program) {
  auto o = std::make_shared<new_experiment_options>();
  parent.add("new", "Begin an experiment of your own")
      .needs_command()
      .add("experiment", "Write the folder of a new experiment, which builds and passes")
      .option("ID", o->id, "NAME", "chNN.name, e.g. ch07.my_copy")
      .required()
      .option(
          "--dir", o->dir, "DIR",
          "Write below this folder: into its chapter's folder, its experiments/, or the folder itself (.)")
      .runs([&program, o] { return new_experiment(program, *o); });
}

}  // namespace ridge::app
