// SPDX-License-Identifier: Apache-2.0
#include <ridge/app_serve/commands.hpp>

#include "commands/serve.hpp"

namespace ridge::app_serve {

std::list<app::command> commands(app::context& program) {
  app::command root("", "");
  add_serve(root, program);
  return std::move(root.commands());
}

}  // namespace ridge::app_serve
