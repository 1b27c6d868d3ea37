// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/trace/json_walk.hpp>

namespace ridge::trace_report {

using trace::json_piece;

// The bytes of one event and of those of its values that a place on a page depends on.
struct raw_event {
  json_piece whole{};
  json_piece phase{}, process{}, thread{}, start{}, id{}, bind_id{};

  // The letter of the phase; 0 where it is missing or no letter.
  [[nodiscard]] char phase_letter() const;
};

// Reads the event whose opening brace is at `position`; returns the position behind it, or nullptr as walks
// do.
[[nodiscard]] const char* past_event(trace::json_walk& walk, const char* position, raw_event& event);

// Returns the offset of the next brace at or behind `position` that begins an event: the first key is one
// that events have, and the brace is no member's value. npos where there is none.
[[nodiscard]] std::size_t next_event_at(std::string_view text, std::size_t position);

// Returns the text with raw control characters in texts escaped and NaN and infinities as null, so that
// every reader of JSON takes it.
[[nodiscard]] std::string mended_json(std::string_view text);

}  // namespace ridge::trace_report
