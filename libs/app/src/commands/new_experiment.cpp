// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
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

std::string next_steps(const experiment_name& name, const std::filesystem::path& folder) {
  if (!is_in_checkout(folder))
    return fmt::format(
        "Next, in the CMakeLists.txt of your project:\n"
        "  find_package(ridge REQUIRED)\n"
        "  ridge_program(mine EXPERIMENTS {0})\n"
        "and where it is built:\n"
        "  mine verify {1}\n  mine run {1}\n",
        folder.parent_path().lexically_normal().string(), name.id());
  return fmt::format(
      "Next, in the root of the checkout:\n"
      "  make build ONLY={1}     build the program and this chapter; CMake finds the folder\n"
      "  build/release/bin/ridge verify {0}\n  build/release/bin/ridge run {0}\n",
      name.id(), name.chapter);
}

int new_experiment(const context& program, const new_experiment_options& o) {
  const auto name = parse_experiment_name(o.id);
  if (!name) return program.refuse(name.why(), exit_code::usage);
  const auto folder = folder_for(*name, o.dir);
  const auto written = write_experiment(*name, folder);
  if (!written) return program.refuse(written.why(), exit_code::usage);
  std::string text;
  for (const auto& path : *written) text += fmt::format("wrote {}\n", path.lexically_normal().string());
  program.print(text + "\nIt builds and passes as it stands. " + next_steps(*name, folder));
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
