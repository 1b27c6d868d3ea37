// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <ridge/trace/category.hpp>
#include <ridge/trace/idle.hpp>

namespace ridge::trace {

// Returns what a thread does while an event of that category and name is open on it: one of the causes of
// host_late idle time. `unknown` for ranges that reveal nothing but may be blamed; nullopt for events that
// reveal nothing about a thread.
[[nodiscard]] std::optional<idle_cause> cause_told_by(category kind, std::string_view name);

}  // namespace ridge::trace
