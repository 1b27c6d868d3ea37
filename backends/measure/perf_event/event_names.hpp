// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::backends::measure_perf_event {

// An event as perf_event_open(2) takes it.
struct event_code {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
};

// Returns the event of a name as perf(1) writes it, "instructions", "L1-dcache-load-misses", "page-faults" or
// "r01c2" for a raw code; nothing for any other text.
[[nodiscard]] std::optional<event_code> event_named(std::string_view name);

// Returns the known names, separated by commas, for a message.
[[nodiscard]] std::string known_event_names();

}  // namespace ridge::backends::measure_perf_event
