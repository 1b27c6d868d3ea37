// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memory/allocations.hpp"

namespace ridge::trace {

// Returns the memory of each step. `points` are the device's, ascending and not empty.
[[nodiscard]] std::vector<memory_step> memory_steps_of(const trace& t, std::span<const memory_point> points,
                                                       std::span<const memory_event* const> events,
                                                       std::span<const time_range> steps);
void count_unreleased(std::vector<memory_step>& steps, const paired_allocations& paired);
// See memory_of_device::growth_per_step.
[[nodiscard]] std::optional<std::int64_t> growth_of(std::span<const memory_step> steps);

}  // namespace ridge::trace
