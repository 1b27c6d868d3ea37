// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::backends::trace_chrome_json {

// The next brace in [at, end) that looks like the start of an event: a member that events have is its first,
// and it is no member's value; or one of which the text ends too early to tell. `end` where there is none.
// The text before, from `begin` on, is looked at too.
[[nodiscard]] const char* next_event_start(const char* begin, const char* at, const char* end);

// Whether enough stands behind that brace to tell.
[[nodiscard]] bool is_told(const char* brace, const char* end);

}  // namespace ridge::backends::trace_chrome_json
