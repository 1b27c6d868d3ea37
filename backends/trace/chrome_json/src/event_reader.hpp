// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "event_fields.hpp"
#include "known_text.hpp"

namespace ridge::backends::trace_chrome_json {

// Reads events one by one. Writers write all events alike, so what stood between two values the last times
// (the comma, spaces and key) is tried first, as bytes; only where it does not fit is the text taken apart.
class event_reader {
 public:
  // `at` is the event's opening brace; the place behind its closing one.
  const char* read(const char* at, json_text& in, event_fields& into);

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

  // What may stand behind the value of one field, up to the next value.
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
  const char* next_value(field& of, const char* at, json_text& in);
  const char* learn_next(field& of, const char* at, json_text& in);
  const char* read_field(field f, const char* at, json_text& in, event_fields& into);
  const char* read_category(const char* at, json_text& in, event_fields& into);

  std::array<steps, fields> steps_{};
  std::array<known_category, 2> categories_{};
  unsigned oldest_category_ = 0;
};

}  // namespace ridge::backends::trace_chrome_json
