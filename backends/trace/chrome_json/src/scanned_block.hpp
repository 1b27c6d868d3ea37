// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "event_fields.hpp"
#include "event_reader.hpp"
#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {

// A piece of the list of events, and what the events in it say. It begins where an event may begin, and ends
// where the next is thought to begin: that may be wrong, for a text may hold what looks like an event.
struct scanned_block {
  std::vector<char> text{};            // followed by padding
  std::size_t size = 0;                // of the text
  std::uint64_t offset = 0;            // where it begins in the input
  std::vector<event_fields> events{};  // their tokens lie in `text`
  std::size_t read = 0;  // bytes up to behind the last event and what separates it from the next
  json_text counts{};    // of what was read
  bool ends_within_event = false;

  [[nodiscard]] const char* begin() const { return text.data(); }
  [[nodiscard]] const char* end() const { return text.data() + size; }
  [[nodiscard]] std::string_view unread() const { return {text.data() + read, size - read}; }
  // Whether something stands behind the events that is neither an event nor the beginning of one.
  [[nodiscard]] bool stopped() const { return read < size && !ends_within_event; }
};

// Reads the events of the block's text, as far as it consists of whole ones.
void scan(scanned_block& block, event_reader& reader);

// Returns where to cut a text so that an event probably begins behind the cut: at the last brace behind "},"
// whose first member is one that events have, else at the last brace behind "},", else at its end.
[[nodiscard]] std::size_t place_to_cut(std::string_view text);

}  // namespace ridge::backends::trace_chrome_json
