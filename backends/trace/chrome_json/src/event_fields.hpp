// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <ridge/trace/category.hpp>

#include "event_args.hpp"

namespace ridge::backends::trace_chrome_json {

// The number of a process, thread or flow. A text that is not a number gets a stable one beyond 32 bits.
struct id_number {
  std::int64_t value = 0;
  token text{};  // not empty where the id was a text
};

// One event of the file.
struct event_fields {
  char phase = 0;
  trace::category kind = trace::category::other;
  token category{};
  token name{};
  id_number process{}, thread{}, id{};
  std::optional<std::int64_t> start_ns{}, duration_ns{};
  const char* args =
      nullptr;  // position behind the opening brace; nullptr: there are none, or they are not needed
  const char* begin = nullptr;
  // What a block_scanner adds; -1: nothing.
  std::int32_t name_number = -1;  // its number of the name
  std::int32_t args_number = -1;  // place of what the args say, in its block
};

[[nodiscard]] trace::category category_of(std::string_view text);

// Returns whether a trace keeps anything from the args of such events.
[[nodiscard]] bool needs_args(char phase, trace::category kind);

}  // namespace ridge::backends::trace_chrome_json
