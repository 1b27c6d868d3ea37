// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::backends::trace_chrome_json {

// Returns the next brace in [position, end) that looks like the start of an event: its first member is one
// that events have, and it is not the value of a member. A brace also counts where the text ends too early to
// decide. Returns `end` where there is none. The text before, from `begin` on, is examined too.
[[nodiscard]] const char* next_event_start(const char* begin, const char* position, const char* end);

// Returns whether enough text follows the brace to decide.
[[nodiscard]] bool is_told(const char* brace, const char* end);

// Returns whether the first member behind the brace is one that events have; enough text follows it.
[[nodiscard]] bool has_member_of_events(const char* brace);

}  // namespace ridge::backends::trace_chrome_json
