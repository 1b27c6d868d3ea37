// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/trace/phases.hpp>

namespace ridge::trace {

// What tells the phase of one work, and by what.
struct told_phase {
  phase kind = phase::other;
  phase_source source = phase_source::not_told;
};

// One for each of the works: by what stood open around its launch, else around its operator.
[[nodiscard]] std::vector<told_phase> launch_phases(const trace& t, std::span<const device_work> works);

// Tells decode where nothing was told: launches of graphs that hold a kernel named for attention in decode.
void guess_decode(const trace& t, std::span<const device_work> works, std::vector<told_phase>& to);

}  // namespace ridge::trace
