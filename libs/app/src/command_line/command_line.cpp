// SPDX-License-Identifier: Apache-2.0
#include "command_line/command_line.hpp"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/app/command_group.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/app/version.hpp>
#include <ridge/base/text.hpp>

#include "command_line/command_tree.hpp"
#include "command_line/help_page.hpp"
#include "command_line/parser.hpp"
#include "command_line/start_page.hpp"
#include "commands/commands.hpp"

namespace ridge::app {
namespace {

void set_colors(context& program) {
  const auto& when = program.color;
  const auto choice = when == "always"  ? color_choice::always
                      : when == "never" ? color_choice::never
                                        : color_choice::automatic;
  program.out = terminal_of(STDOUT_FILENO, choice);
  program.err = terminal_of(STDERR_FILENO, choice);
}

void add_global_options(command& root, context& program) {
  root.choice("--color", program.color, {"auto", "always", "never"},
              "When to use colour (auto: on a terminal without NO_COLOR)")
      .option("--store", program.store, "PATH|URL",
              "Where this call keeps and finds results (also RIDGE_STORE)")
      .from_environment("RIDGE_STORE");
}

const command_group* group_called(const context& program, std::string_view name) {
  const auto found = std::ranges::find(program.groups, name, &command_group::name);
  return found == program.groups.end() ? nullptr : &*found;
}

error missing_group(const known_group& group) {
  return {fmt::format("this program was built without the commands of the group \"{}\"", group.name),
          "build them with `make build`"};
}

// Adds a command whose group cannot be opened: it is listed, and says how to build the group.
void add_placeholder(command& root, const context& program, const known_command& known, const error& why) {
  root.add(std::string(known.name), std::string(known.summary)).takes_any_words().runs([&program, why] {
    return program.refuse(why, exit_code::unavailable);
  });
}

void add_group(command& root, context& program, const known_group& group, bool open) {
  const auto* offered = group_called(program, group.name);
  result<group_commands> commands = missing_group(group);
  if (open && offered != nullptr) commands = offered->open();
  if (commands) {
    root.commands().splice(root.commands().end(), (*commands)(program));
  } else {
    for (const auto& known : group.commands) add_placeholder(root, program, known, commands.why());
  }
}

// Returns whether a word of the command line could name a command of this group: only then is the group
// opened.
bool is_named(const context& program, const known_group& group) {
  return std::ranges::any_of(group.commands, [&](const known_command& known) {
    return std::ranges::count(program.typed, known.name) > 0;
  });
}

enum class opened : std::uint8_t { named_groups, every_group };

command make_command_line(context& program, opened which) {
  command to("ridge", "measures how fast this machine can go, and proves which code is faster");
  to.notes(
      "Exit codes: 0 measured and verified; 2 a variant was refused or a result is invalid; 64 wrong usage; "
      "69 this machine lacks what was asked for; 74 a file failed; 130 interrupted; 1 (worse) and 3 "
      "(inconclusive) only with --fail-on and in compare and gate.");
  add_global_options(to, program);
  add_list(to, program);
  add_show(to, program);
  add_run(to, program);
  add_compare(to, program);
  add_verify(to, program);
  add_bench(to, program);
  add_ci(to, program);
  add_judge(to, program);
  add_history(to, program);
  add_triage(to, program);
  add_gate(to, program);
  add_export(to, program);
  add_import(to, program);
  add_plot(to, program);
  add_report(to, program);
  add_probe(to, program);
  add_peak(to, program);
  add_doctor(to, program);
  add_roofline(to, program);
  add_audit(to, program);
  for (const auto& group : known_groups())
    add_group(to, program, group, which == opened::every_group || is_named(program, group));
  add_new(to, program);
  add_coverage(to, program);
  add_metrics(to, program);
  add_validity(to, program);
  add_selftest(to, program);
  add_completion(to, program);
  add_install(to, program);
  add_man(to, program);
  add_readme_table(to, program);
  add_pack(to, program);
  add_judge_runner(to, program);
  return to;
}

}  // namespace

int run_command_line(context& program) {
  const auto root = make_command_line(program, opened::named_groups);
  set_colors(program);
  const auto line = parse(root, {program.typed.begin() + 1, program.typed.end()});
  set_colors(program);
  switch (line.kind) {
    case line_kind::version:
      program.print(std::string(version_line()) + '\n');
      return exit_code::good;
    case line_kind::wrong:
      return program.refuse(*line.wrong, exit_code::usage);
    case line_kind::help:
      if (line.named->accepts_any_words()) return line.named->action()();
      program.print(help_page(line.named == &root ? tree_of_program(root) : tree_of(*line.named), line.path,
                              program.out));
      return exit_code::good;
    case line_kind::action:
      break;
  }
  if (line.named->action()) return line.named->action()();
  program.print(start_page(program));
  return exit_code::good;
}

command_node whole_tree(context& program) {
  auto root = tree_of_program(make_command_line(program, opened::every_group));
  const auto man = std::ranges::find(root.commands, "man", &command_node::name);
  if (man == root.commands.end()) return root;
  std::vector<std::string> names;
  for (const auto& one : root.commands) names.push_back(one.name);
  man->positionals.front().value = join(names, "|");  // what shells offer for it
  return root;
}

}  // namespace ridge::app
