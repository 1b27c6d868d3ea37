// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/idle_cause.hpp>

namespace ridge::trace {

// Returns what happens while a device is idle for this cause, as a clause: "the host fetches its next batch".
[[nodiscard]] std::string_view idle_cause_text(idle_cause cause);

}  // namespace ridge::trace
