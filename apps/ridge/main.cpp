// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/app.hpp>
#include <ridge/app/modules.hpp>

// Chapters and groups of commands are shared objects beside the program, which are opened when they are
// needed.
int main(int argc, char** argv) {
  using namespace ridge::app;
  return ridge::app::main(argc, argv, chapters_beside_program(),
                          {group_beside_program("trace"), group_beside_program("plan"),
                           group_beside_program("results"), group_beside_program("serve")});
}
