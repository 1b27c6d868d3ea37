// SPDX-License-Identifier: Apache-2.0
#include "plan/variant_resources.hpp"

#include <algorithm>

#include <ridge/harness/session.hpp>

namespace ridge::harness {

std::unique_ptr<device::queue_set> queues_of(const experiment::definition& experiment, std::size_t variant,
                                             device::device& device) {
  const auto& needs = experiment.variants[variant].needs;
  return device.make_queues(std::max(needs.gpus, 1), std::max(needs.queues, 1));
}

call_resources call_resources_of(const experiment::definition& experiment, tick_source clock,
                                 const setup_resources& resources) {
  return {.clock = clock,
          .team = resources.team,
          .threads = resources.threads,
          .queues = resources.queues,
          .phases = experiment.phases,
          .observed = experiment.observed};
}

tick_source host_ticks() {
  return {[](void*) { return static_cast<std::uint64_t>(monotonic_seconds() * 1e9); }, nullptr, 1e-9};
}

}  // namespace ridge::harness
