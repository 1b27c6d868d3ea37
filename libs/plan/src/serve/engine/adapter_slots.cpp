// SPDX-License-Identifier: Apache-2.0
#include "adapter_slots.hpp"

#include <algorithm>

namespace ridge::plan::serve {

bool adapter_slots::can_start(std::uint32_t adapter) const {
  return (adapter < adapters_.size() && adapters_[adapter].users > 0) || active_ < slots_;
}

void adapter_slots::evict_oldest() {
  auto oldest = residents_.end();
  for (auto at = residents_.begin(); at != residents_.end(); ++at) {
    if (adapters_[*at].users > 0) continue;
    if (oldest == residents_.end() || adapters_[*at].used < adapters_[*oldest].used) oldest = at;
  }
  adapters_[*oldest].resident = false;
  *oldest = residents_.back();
  residents_.pop_back();
}

bool adapter_slots::start(std::uint32_t adapter) {
  if (adapter >= adapters_.size()) adapters_.resize(adapter + 1);
  auto& state = adapters_[adapter];
  active_ += state.users++ == 0 ? 1U : 0U;
  state.used = ++clock_;
  if (state.resident) return false;
  if (residents_.size() >= slots_) evict_oldest();
  state.resident = true;
  residents_.push_back(adapter);
  return true;
}

void adapter_slots::stop(std::uint32_t adapter) {
  auto& state = adapters_[adapter];
  active_ -= --state.users == 0 ? 1U : 0U;
  state.used = ++clock_;
}

void adapter_slots::clear() {
  adapters_.clear();
  residents_.clear();
  active_ = 0;
}

}  // namespace ridge::plan::serve
