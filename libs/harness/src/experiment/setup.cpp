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

namespace {

// From the beginning of a workspace to that of the next one: with room for what guards it.
std::uintptr_t address_space_of(std::size_t bytes) {
  constexpr std::uintptr_t page = 4096, pages_between = 7;
  return (bytes / page + pages_between) * page;
}

}  // namespace

std::span<std::byte> setup::take(std::size_t bytes, int gpu) {
  expects(gpu >= 0 && gpu < gpus(), fmt::format("setup: GPU {} is not declared: set .needs.gpus", gpu));
  // A workload's arrays take the places from the first on. The same workspace of another variant has the same
  // place, so that stores and loads of identical code agree in their low bits with the same arrays.
  const std::size_t place = device::array_places - 1 - owned_.size() % device::array_places;
  owned_.push_back(
      resources_.device.allocate({.bytes = bytes, .place = place, .address = next_address_, .gpu = gpu}));
  if (next_address_ != 0) next_address_ += address_space_of(bytes);
  resources_.device.fill(owned_.back()->bytes(), dtype::u8, constant{0}, 0);
  taken_ += bytes;
  return owned_.back()->bytes();
}

std::vector<std::span<std::byte>> setup::workspaces() const {
  std::vector<std::span<std::byte>> all;
  for (const auto& one : owned_) all.push_back(one->bytes());
  return all;
}

}  // namespace ridge
