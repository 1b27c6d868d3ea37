// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/model/json.hpp>
#include <ridge/probe/machine_tree.hpp>
#include <ridge/report/tree.hpp>

#include "commands/commands.hpp"
#include "machine/whole_machine.hpp"

namespace ridge::app {
namespace {

int probe(const context& program, bool as_json) {
  const auto machine = probe::machine_tree(read_whole_machine());
  program.print(as_json ? model::probe_json(machine) + '\n'
                        : report::tree_text(machine, layout_on(program.out)));
  return exit_code::good;
}

}  // namespace

void add_probe(command& parent, context& program) {
  auto json = std::make_shared<bool>(false);
  parent.add("probe", "Show this machine as one tree: processors, memory, GPUs, devices, system, software")
      .flag("--json", *json, "Print one JSON object (ridge.probe/1)")
      .notes(
          "Measures nothing and changes nothing. What cannot be read is left out. Serial numbers are not "
          "shown; the UUID of a GPU is shown as a hash.")
      .runs([&program, json] { return probe(program, *json); });
}

}  // namespace ridge::app
