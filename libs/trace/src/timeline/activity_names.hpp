// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <ridge/trace/category.hpp>
#include <ridge/trace/idle.hpp>

namespace ridge::trace {

// What a thread does while an event of that category and name is open on it: one of the causes of host-late
// idle time. `unknown` for ranges that tell nothing but may be blamed; nothing for events that say nothing of
// a thread.
[[nodiscard]] std::optional<idle_cause> cause_told_by(category kind, std::string_view name);

}  // namespace ridge::trace
