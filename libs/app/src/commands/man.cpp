// SPDX-License-Identifier: Apache-2.0

#include <ridge/app/exit_code.hpp>
#include <ridge/app/version.hpp>

#include "command_line/command_line.hpp"
#include "commands/commands.hpp"
#include "completion/completion.hpp"

namespace ridge::app {

void add_man(command& to, context& in) {
  to.add("man", "Print the manual page (ridge man | man -l -)").runs([&in] {
    in.print(manual_page(whole_tree(in), version()));
    return exit_code::good;
  });
}

}  // namespace ridge::app
