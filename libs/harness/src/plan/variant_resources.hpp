// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/harness/experiment.hpp>

namespace ridge::harness {

// The queues that a variant declares, made on `device`.
[[nodiscard]] std::unique_ptr<device::queue_set> queues_of(const experiment::definition& experiment,
                                                           std::size_t variant, device::device& device);

// What a call of a variant is made from: the resources of its setup, the clock, and the handles that the
// experiment lists. All of them must outlive the call.
[[nodiscard]] call_resources call_resources_of(const experiment::definition& experiment, tick_source clock,
                                               const setup_resources& resources);

// Nanoseconds of this process' monotonic clock, for calls whose phases are not timed.
[[nodiscard]] tick_source host_ticks();

}  // namespace ridge::harness
