// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::harness {

// The state of the caches and the way of launching in which a sample on a GPU is taken. `cold` decides the
// verdicts: caches hold nothing of the arrays, and calls are enqueued on a held queue. `warm`: the same after
// an untimed call on the same data. `graph`: cold, with the sample's calls recorded once and launched as one
// graph. `host_latency`: the host's time from before a call until it has waited for the call's work.
enum class mode : std::uint8_t { cold, warm, graph, host_latency };

// The word in names of metrics and options: "cold", "warm", "graph", "latency".
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
