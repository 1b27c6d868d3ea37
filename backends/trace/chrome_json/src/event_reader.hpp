// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "event_fields.hpp"
#include "known_text.hpp"

namespace ridge::backends::trace_chrome_json {

// Reads events one by one. Writers write all events alike, so the bytes between two values of earlier events
// (the comma, spaces and key) are compared first; the text is parsed only where they differ.
class event_reader {
 public:
  // Reads the event whose opening brace is at `position` and returns the position behind its closing one.
  const char* read(const char* position, json_text& text, event_fields& fields);

 private:
  enum class field : std::uint8_t {
    none,
    phase,
    category,
    name,
    process,
    thread,
    start,
    duration,
    args,
    id,
    unknown,
    end
  };
  static constexpr std::size_t fields = static_cast<std::size_t>(field::end) + 1;

  // The texts that may follow the value of one field, up to the next value.
  struct step {
    known_text between{};
    field next = field::unknown;
  };
  struct steps {
    std::array<step, 2> known{};
    unsigned oldest = 0;
  };
  struct known_category {
    known_text quoted{};
    trace::category kind = trace::category::other;
  };

  [[nodiscard]] static field field_of(std::string_view key);
  const char* next_value(field& expected, const char* position, json_text& text);
  const char* learn_next(field& expected, const char* position, json_text& text);
  const char* read_field(field f, const char* position, json_text& text, event_fields& fields);
  const char* read_category(const char* position, json_text& text, event_fields& fields);

  std::array<steps, fields> steps_{};
  std::array<known_category, 2> categories_{};
  unsigned oldest_category_ = 0;
};

}  // namespace ridge::backends::trace_chrome_json
