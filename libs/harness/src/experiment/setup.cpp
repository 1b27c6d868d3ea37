// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/setup.hpp>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

#include "experiment/declared_queue.hpp"

namespace ridge {

stream setup::queue_on(int gpu, int index) const {
  if (resources_.queues == nullptr && gpu == 0 && index == 0) return resources_.device.queue();
  return declared_queue(resources_.queues, gpu, index);
}

host::team& setup::team() const {
  expects(resources_.team != nullptr, "setup: this variant declares one thread; set .threads to use a team");
  return *resources_.team;
}

std::span<std::byte> setup::take(std::size_t bytes, int gpu) {
  expects(gpu >= 0 && gpu < gpus(), fmt::format("setup: GPU {} is not declared: set .needs.gpus", gpu));
  owned_.push_back(resources_.device.allocate({.bytes = bytes, .gpu = gpu}));
  resources_.device.fill(owned_.back()->bytes(), dtype::u8, constant{0}, 0);
  taken_ += bytes;
  return owned_.back()->bytes();
}

}  // namespace ridge
