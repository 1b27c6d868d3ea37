// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/context.hpp>

#include "analysis_options.hpp"

namespace ridge::app_results {

// Returns the command of this name, which runs these analyses of the results of the store and prints what
// they found. Its summary is that of app::known_groups(). `program` must outlive it.
[[nodiscard]] app::command analysis_command(const std::string& name, const analysis_list& all,
                                            app::context& program);

}  // namespace ridge::app_results
