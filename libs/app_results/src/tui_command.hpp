// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>

namespace ridge::app_results {

// Returns the command `tui`. `program` must outlive it.
[[nodiscard]] app::command tui_command(app::context& program);

}  // namespace ridge::app_results
