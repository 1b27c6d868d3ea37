// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::trace {

// The part of training or inference that work belongs to.
enum class phase : std::uint8_t { forward, backward, optimizer, prefill, decode, other };
inline constexpr int phase_count = static_cast<int>(phase::other) + 1;
// Returns the phase's name, as reports print it.
[[nodiscard]] std::string_view name(phase p);
// Whether the phase belongs to inference.
[[nodiscard]] constexpr bool is_inference(phase p) { return p == phase::prefill || p == phase::decode; }

// Returns the phase that a range's name means ("Optimizer.step#Adam.step", "forward", "prefill_bs4"); nullopt
// where it means none.
[[nodiscard]] std::optional<phase> phase_of_name(std::string_view range);

// What the phases were read from.
enum class phase_source : std::uint8_t {
  not_told,        // nothing in the trace shows phases: all work is `other`
  annotations,     // ranges that people or frameworks named
  sequence,        // sequence numbers and forward threads of operators, forward-to-backward flows
  graph_launches,  // graphs that hold a kernel named after attention in decode: a guess
};
// Returns the source's name, as reports print it.
[[nodiscard]] std::string_view name(phase_source s);

}  // namespace ridge::trace
