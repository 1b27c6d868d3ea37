// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>

namespace ridge::app_results {

// Returns `ridge store`: copy, benchmark. `program` must outlive it.
[[nodiscard]] app::command store_command(app::context& program);

}  // namespace ridge::app_results
