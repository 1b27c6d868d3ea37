// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "event_fields.hpp"
#include "event_reader.hpp"
#include "json_text.hpp"
#include "recent_texts.hpp"

namespace ridge::backends::trace_chrome_json {

// A piece of the list of events, and what the events in it say. It begins where an event may begin, and ends
// where the next is thought to begin: that may be wrong, for a text may hold what looks like an event.
struct scanned_block {
  std::vector<char> text{};            // followed by padding
  std::size_t size = 0;                // of the text
  std::uint64_t offset = 0;            // where it begins in the input
  std::vector<event_fields> events{};  // their tokens lie in `text`
  std::vector<event_args> args{};      // of the events that need them, in their order
  unsigned scanner = 0;                // whose numbers the names have
  std::size_t read = 0;  // bytes up to behind the last event and what separates it from the next
  json_text counts{};    // of what was read
  bool ends_within_event = false;

  [[nodiscard]] const char* begin() const { return text.data(); }
  [[nodiscard]] const char* end() const { return text.data() + size; }
  [[nodiscard]] std::string_view unread() const { return {text.data() + read, size - read}; }
  // Whether something stands behind the events that is neither an event nor the beginning of one.
  [[nodiscard]] bool stopped() const { return read < size && !ends_within_event; }
};

// Scans blocks on one thread.
class block_scanner {
 public:
  // `index` tells the scanners of one input apart.
  explicit block_scanner(unsigned index) : index_(index) {}
  // Reads the events of the block's text, as far as it consists of whole ones. Names are numbered as they
  // come, so that who adds up the blocks of several scanners looks at the text of a name once, not once per
  // event.
  void scan(scanned_block& block);

 private:
  [[nodiscard]] std::int32_t number_of(const token& name);
  const char* read(const char* position, scanned_block& block);

  event_reader reader_{};
  recent_texts names_{};
  std::int32_t numbers_ = 0;
  unsigned index_;
};

// Returns where to cut a text so that an event probably begins behind the cut: at the last brace behind "},"
// whose first member is one that events have, else at the last brace behind "},", else at its end.
[[nodiscard]] std::size_t place_to_cut(std::string_view text);

}  // namespace ridge::backends::trace_chrome_json
