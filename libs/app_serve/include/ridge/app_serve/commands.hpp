// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>

namespace ridge::app_serve {

// Returns the command `serve`. `program` must outlive what is returned.
[[nodiscard]] std::list<app::command> commands(app::context& program);

}  // namespace ridge::app_serve
