// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/session.hpp>

namespace ridge::harness {

// Tells the listener of the equipment, where there is one, how long a stage of a family took.
inline void tell_stage(const instruments& equipment, std::string_view name, double seconds) {
  if (equipment.stage_over) equipment.stage_over(name, seconds);
}

// Calls `stage` and tells how long it took.
template <class Stage>
void timed_stage(const instruments& equipment, std::string_view name, const Stage& stage) {
  const double start = monotonic_seconds();
  stage();
  tell_stage(equipment, name, monotonic_seconds() - start);
}

}  // namespace ridge::harness
