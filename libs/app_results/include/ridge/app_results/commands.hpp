// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>

namespace ridge::app_results {

// Returns the commands of all analyses (`analyze`, `whatif`, ...) in the order of results::analyses(), then
// `store` and `tui`. `program` must outlive what is returned.
[[nodiscard]] std::list<app::command> commands(app::context& program);

}  // namespace ridge::app_results
