// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/setup.hpp>

#include <ridge/base/expects.hpp>

namespace ridge {

setup::setup(device::device& where, host::team* team, int threads, int gpus)
    : where_(&where), team_(team), threads_(threads), gpus_(gpus) {}

host::team& setup::team() const {
  expects(team_ != nullptr, "setup: this variant declares one thread; set .threads to use a team");
  return *team_;
}

std::span<std::byte> setup::take(std::size_t bytes) {
  owned_.push_back(where_->allocate({.bytes = bytes}));
  where_->fill(owned_.back()->bytes(), dtype::u8, constant{0}, 0);
  taken_ += bytes;
  return owned_.back()->bytes();
}

}  // namespace ridge
