// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/trace/phases.hpp>

namespace ridge::trace {

// The phase of one work, and what shows it.
struct told_phase {
  phase kind = phase::other;
  phase_source source = phase_source::not_told;
};

// Returns the phase of each work, by the ranges open around its launch, else around its operator.
[[nodiscard]] std::vector<told_phase> launch_phases(const trace& t, std::span<const device_work> works);

// Guesses decode where nothing shows a phase: launches of graphs that hold a kernel named after attention in
// decode.
void guess_decode(const trace& t, std::span<const device_work> works, std::vector<told_phase>& phases);

}  // namespace ridge::trace
