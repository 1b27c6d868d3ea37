// SPDX-License-Identifier: Apache-2.0
#include "sampling/sampler.hpp"

#include <ridge/host/topology.hpp>

#include "sampling/host_sampler.hpp"
#include "sampling/queued_sampler.hpp"

namespace ridge::harness {

std::unique_ptr<sampler> make_sampler(device::device& device, bound_arms& arms, call_effects& effects) {
  if (device.on_host()) return std::make_unique<host_sampler>(device, arms, effects);
  return std::make_unique<queued_sampler>(device, arms);
}

std::size_t near_cache_bytes(const device::device& device) {
  return device.on_host() ? host::read_topology().cache_bytes(2) : device.last_level_cache_bytes();
}

}  // namespace ridge::harness
