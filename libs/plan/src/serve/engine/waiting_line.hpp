// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::plan::serve {

// Waiting requests in order of arrival with preempted ones in front, or in order of priority, then arrival.
class waiting_line {
 public:
  struct entry {
    std::uint32_t slot = 0;
    std::int8_t priority = 0;
    double arrival_s = 0;
    std::uint64_t order = 0;
  };

  explicit waiting_line(bool by_priority) : by_priority_(by_priority) {}
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t front() const { return by_priority_ ? heap_.front().slot : ring_[first_]; }
  void push_back(std::uint32_t slot, std::int8_t priority, double arrival_s);
  void push_front(std::uint32_t slot, std::int8_t priority, double arrival_s);
  void pop_front();
  bool remove(std::uint32_t slot);
  void clear();

 private:
  [[nodiscard]] std::uint32_t at(std::uint32_t i) const { return (first_ + i) & (capacity() - 1); }
  [[nodiscard]] std::uint32_t capacity() const { return static_cast<std::uint32_t>(ring_.size()); }
  void make_room();
  void push_heap(std::uint32_t slot, std::int8_t priority, double arrival_s);

  bool by_priority_;
  std::uint32_t first_ = 0, size_ = 0;
  std::vector<std::uint32_t> ring_{};
  std::vector<entry> heap_{};
  std::uint64_t pushed_ = 0;
};

}  // namespace ridge::plan::serve
