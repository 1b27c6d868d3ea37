// SPDX-License-Identifier: Apache-2.0

#include "commands.hpp"
#include "completion.hpp"
#include "exit_code.hpp"
#include "version.hpp"

namespace ridge::app {

void add_man(command& to, context& in) {
  auto& root = to.parser();
  to.add("man", "Print the manual page (ridge man | man -l -)").runs([&in, &root] {
    in.print(manual_page(tree_of(root), version()));
    return exit_code::good;
  });
}

}  // namespace ridge::app
