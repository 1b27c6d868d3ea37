// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::trace {

enum class phase : std::uint8_t { forward, backward, optimizer, prefill, decode, other };
inline constexpr int phase_count = static_cast<int>(phase::other) + 1;
[[nodiscard]] std::string_view name(phase p);
[[nodiscard]] constexpr bool is_inference(phase p) { return p == phase::prefill || p == phase::decode; }

// The phase that a range's name tells ("Optimizer.step#Adam.step", "forward", "prefill_bs4"); nothing: none.
[[nodiscard]] std::optional<phase> phase_of_name(std::string_view range);

enum class phase_source : std::uint8_t {
  not_told,        // nothing in the trace tells phases: all is `other`
  annotations,     // ranges that people or frameworks named
  sequence,        // sequence numbers and forward threads of operators, forward-to-backward flows
  graph_launches,  // graphs that hold a kernel named for attention in decode; a guess
};
[[nodiscard]] std::string_view name(phase_source s);

}  // namespace ridge::trace
