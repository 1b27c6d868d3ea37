// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::harness {

// In which state of the machine, and by which way of launching, a sample on a GPU is taken. `cold`, whose
// times decide the verdicts: caches hold nothing of the arrays, calls are enqueued behind a stop. `warm`: the
// same after an untimed call on the same data. `graph`: cold, the sample's calls recorded once and launched
// as one. `host_latency`: the host's time from before a call until its work is done, waited for.
enum class mode : std::uint8_t { cold, warm, graph, host_latency };

[[nodiscard]] constexpr std::string_view name(mode m) {
  switch (m) {
    case mode::cold:
      return "cold";
    case mode::warm:
      return "warm";
    case mode::graph:
      return "graph";
    case mode::host_latency:
      break;
  }
  return "latency";
}

}  // namespace ridge::harness
