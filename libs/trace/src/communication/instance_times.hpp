// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/trace/communication.hpp>
#include <ridge/trace/interval_set.hpp>

namespace ridge::trace {

// Returns the times of an instance. `compute` holds the compute times of each participant.
[[nodiscard]] instance_times times_of_instance(const collective_instance& instance,
                                               std::span<const participant> participants,
                                               std::span<const interval_set> compute,
                                               const clock_alignment& clocks);

// Returns whether some part ended before another began by more than the clocks' uncertainty.
[[nodiscard]] bool is_implausible(const instance_times& times);

}  // namespace ridge::trace
