// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "screens/screen.hpp"

namespace ridge::tui {

// Returns the keys and what the screen shows, painted.
[[nodiscard]] std::string help_text(const screen& which, bool can_run);

}  // namespace ridge::tui
