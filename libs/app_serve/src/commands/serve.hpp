// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>

namespace ridge::app_serve {

// Adds `serve` to a parent. `program` must outlive the parser.
void add_serve(app::command& parent, app::context& program);

}  // namespace ridge::app_serve
