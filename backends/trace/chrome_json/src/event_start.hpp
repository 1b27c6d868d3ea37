// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::backends::trace_chrome_json {

// How much text must stand behind a brace to tell whether an event starts there.
inline constexpr std::size_t event_start_bytes = 64;

// The next brace in [at, end) that looks like the start of an event: a member that events have is its first,
// and it is no member's value. `end` where there is none. `at` must not be the first byte of its buffer.
[[nodiscard]] const char* next_event_start(const char* at, const char* end);

}  // namespace ridge::backends::trace_chrome_json
