// SPDX-License-Identifier: Apache-2.0
#include "access/failure_limit.hpp"

namespace ridge::server {

void failure_limit::forget(time now) {
  for (auto entry = failures_.begin(); entry != failures_.end();) {
    auto& times = entry->second;
    while (!times.empty() && now - times.front() >= window_) times.pop_front();
    entry = times.empty() ? failures_.erase(entry) : std::next(entry);
  }
}

std::size_t failure_limit::wait_s(const std::string& address, time now) {
  if (failures_.empty()) return 0;
  forget(now);
  const auto found = failures_.find(address);
  if (found == failures_.end() || found->second.size() < most_) return 0;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(window_ - (now - found->second.front()));
  return static_cast<std::size_t>((left.count() + 999) / 1000);
}

void failure_limit::add(const std::string& address, time now) {
  forget(now);
  auto& times = failures_[address];
  times.push_back(now);
  if (times.size() > most_) times.pop_front();
}

}  // namespace ridge::server
