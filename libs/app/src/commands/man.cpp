// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>

#include "../completion.hpp"
#include "../context.hpp"
#include "../exit_code.hpp"
#include "../version.hpp"
#include "commands.hpp"

namespace ridge::app {

void add_man(CLI::App& to, context& in) {
  auto& command = *to.add_subcommand("man", "Print the manual page (ridge man | man -l -)");
  command.callback([&in, &to] {
    in.chosen = [&in, &to] {
      in.print(manual_page(tree_of(to), version()));
      return exit_code::good;
    };
  });
}

}  // namespace ridge::app
