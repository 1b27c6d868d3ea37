// SPDX-License-Identifier: Apache-2.0

#include <ridge/app/exit_code.hpp>
#include <ridge/app/version.hpp>

#include "command_line/command_line.hpp"
#include "commands/commands.hpp"
#include "completion/completion.hpp"

namespace ridge::app {

void add_man(command& parent, context& program) {
  parent.add("man", "Print the manual page (ridge man | man -l -)").runs([&program] {
    program.print(manual_page(whole_tree(program), version()));
    return exit_code::good;
  });
}

}  // namespace ridge::app
