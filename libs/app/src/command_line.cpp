// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <unistd.h>

#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ridge/base/text.hpp>

#include "command_tree.hpp"
#include "commands/commands.hpp"
#include "exit_code.hpp"
#include "help_page.hpp"
#include "start_page.hpp"
#include "targets.hpp"
#include "version.hpp"

namespace ridge::app {
namespace {

void set_colors(context& in) {
  const auto& when = in.color;
  const auto choice = when == "always"  ? color_choice::always
                      : when == "never" ? color_choice::never
                                        : color_choice::automatic;
  in.out = terminal_of(STDOUT_FILENO, choice);
  in.err = terminal_of(STDERR_FILENO, choice);
}

void add_global_options(command& to, context& in) {
  auto& root = to.parser();
  root.set_help_flag("-h,--help", "Print this help");
  root.set_version_flag("--version", std::string(version_line()), "Print the version");
  to.choice("--color", in.color, {"auto", "always", "never"},
            "When to use colour (auto: on a terminal without NO_COLOR)")
      .option("--store", in.store, "PATH|URL", "Where results are kept, for this call (also RIDGE_STORE)")
      .from_environment("RIDGE_STORE");
}

// The command that was being parsed, and how it is called.
const CLI::App* command_of(const CLI::App& root, std::string& path) {
  const CLI::App* found = &root;
  path = root.get_name();
  for (auto inner = found->get_subcommands(); !inner.empty(); inner = found->get_subcommands()) {
    found = inner.back();
    path += ' ' + found->get_name();
  }
  return found;
}

std::vector<std::string> option_names(const CLI::App& of) {
  std::vector<std::string> names;
  for (const auto* option : of.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

error why_extra(const CLI::App& root, const CLI::App& command, const std::string& extra,
                const std::string& help) {
  if (extra.starts_with('-')) {
    auto known = option_names(command);
    const auto global = option_names(root);
    known.insert(known.end(), global.begin(), global.end());
    return unknown_name("option", extra.substr(0, extra.find('=')), known, help);
  }
  const auto inner = command.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
  if (inner.empty()) return {fmt::format("`{}` takes no argument \"{}\"", command.get_name(), extra), help};
  std::vector<std::string> names;
  for (const auto* one : inner) names.push_back(one->get_name());
  return unknown_name("command", extra, names, help);
}

int wrong_usage(const CLI::App& root, const context& in, const CLI::ParseError& why) {
  std::string path;
  const auto* command = command_of(root, path);
  const auto help = fmt::format("see `{} --help`", path);
  const auto extra = root.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&why) != nullptr && !extra.empty())
    return in.refuse(why_extra(root, *command, extra.front(), help), exit_code::usage);
  return in.refuse({why.what(), help}, exit_code::usage);
}

std::unique_ptr<CLI::App> make_command_line(context& in) {
  auto root = std::make_unique<CLI::App>(
      "measures how fast this machine can go, and proves which code is faster", "ridge");
  root->fallthrough();
  root->footer(
      "Exit codes: 0 measured and verified; 2 a variant was refused or a result is invalid; 64 wrong usage; "
      "69 this "
      "machine lacks what was asked for; 74 a file failed; 130 interrupted; 1 (worse) and 3 (inconclusive) "
      "only with "
      "--fail-on and in compare.");
  command to(*root, in);
  add_global_options(to, in);
  add_list(to, in);
  add_show(to, in);
  add_run(to, in);
  add_compare(to, in);
  add_verify(to, in);
  add_bench(to, in);
  add_history(to, in);
  add_export(to, in);
  add_probe(to, in);
  add_peak(to, in);
  add_doctor(to, in);
  add_roofline(to, in);
  add_audit(to, in);
  add_profile(to, in);
  add_trace(to, in);
  add_diagnose(to, in);
  add_plan(to, in);
  add_new(to, in);
  add_coverage(to, in);
  add_metrics(to, in);
  add_selftest(to, in);
  add_completion(to, in);
  add_man(to, in);
  add_readme_table(to, in);
  add_pack(to, in);
  return root;
}

int help(const CLI::App& parser, const context& in) {
  std::string path;
  const auto tree = tree_of(*command_of(parser, path));
  in.print(help_page(tree, path, in.out));
  return exit_code::good;
}

}  // namespace

int run_command_line(context& in) {
  const auto parser = make_command_line(in);
  set_colors(in);
  try {
    parser->parse(std::vector<std::string>(in.typed.rbegin(), in.typed.rend() - 1));
  } catch (const CLI::CallForHelp&) {
    set_colors(in);
    return help(*parser, in);
  } catch (const CLI::CallForVersion&) {
    in.print(std::string(version_line()) + '\n');
    return exit_code::good;
  } catch (const CLI::ParseError& why) {
    return wrong_usage(*parser, in, why);
  }
  set_colors(in);
  if (in.chosen) return in.chosen();
  in.print(start_page(in));
  return exit_code::good;
}

command_node whole_tree(context& in) { return tree_of(*make_command_line(in)); }

}  // namespace ridge::app
