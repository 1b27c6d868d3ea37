// SPDX-License-Identifier: Apache-2.0
#include "plan/variant_resources.hpp"

#include <algorithm>

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

}  // namespace ridge::harness
