// SPDX-License-Identifier: Apache-2.0
#include "waiting_line.hpp"

#include <algorithm>
#include <tuple>

namespace ridge::plan::serve {
namespace {

bool later(const waiting_line::entry& a, const waiting_line::entry& b) {
  return std::tie(a.priority, a.arrival_s, a.order) > std::tie(b.priority, b.arrival_s, b.order);
}

}  // namespace

void waiting_line::make_room() {
  if (size_ < ring_.size()) {
    return;
  }
  std::vector<std::uint32_t> wider(ring_.empty() ? 16 : 2 * ring_.size());
  for (std::uint32_t i = 0; i < size_; ++i) {
    wider[i] = ring_[at(i)];
  }
  ring_ = std::move(wider);
  first_ = 0;
}

void waiting_line::push_heap(std::uint32_t slot, std::int8_t priority, double arrival_s) {
  heap_.push_back({slot, priority, arrival_s, pushed_++});
  std::ranges::push_heap(heap_, later);
  ++size_;
}

void waiting_line::push_back(std::uint32_t slot, std::int8_t priority, double arrival_s) {
  if (by_priority_) {
    return push_heap(slot, priority, arrival_s);
  }
  make_room();
  ring_[at(size_)] = slot;
  ++size_;
}

void waiting_line::push_front(std::uint32_t slot, std::int8_t priority, double arrival_s) {
  if (by_priority_) {
    return push_heap(slot, priority, arrival_s);
  }
  make_room();
  first_ = (first_ + capacity() - 1) & (capacity() - 1);
  ring_[first_] = slot;
  ++size_;
}

void waiting_line::pop_front() {
  --size_;
  if (by_priority_) {
    std::ranges::pop_heap(heap_, later);
    heap_.pop_back();
    return;
  }
  first_ = (first_ + 1) & (capacity() - 1);
}

bool waiting_line::remove(std::uint32_t slot) {
  if (by_priority_) {
    const auto gone = std::erase_if(heap_, [&](const entry& e) { return e.slot == slot; });
    std::ranges::make_heap(heap_, later);
    size_ -= static_cast<std::uint32_t>(gone);
    return gone > 0;
  }
  std::uint32_t i = 0;
  while (i < size_ && ring_[at(i)] != slot) {
    ++i;
  }
  if (i == size_) {
    return false;
  }
  for (; i + 1 < size_; ++i) {
    ring_[at(i)] = ring_[at(i + 1)];
  }
  --size_;
  return true;
}

void waiting_line::clear() {
  heap_.clear();
  first_ = size_ = 0;
}

}  // namespace ridge::plan::serve
