// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <ridge/trace/trace_builder.hpp>

namespace ridge::trace {

struct pending_event {
  event_row row{};
  std::uint32_t detail = none;
};

// Events in the order of their arrival, in blocks: it grows without ever holding them twice.
class pending_events {
 public:
  void push(const event_row& row, std::uint32_t detail) {
    if (size_ % block == 0) blocks_.push_back(std::make_unique_for_overwrite<pending_event[]>(block));
    blocks_.back()[size_ % block] = {row, detail};
    ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const pending_event& operator[](std::size_t i) const { return blocks_[i / block][i % block]; }
  void clear() {
    blocks_.clear();
    size_ = 0;
  }

 private:
  static constexpr std::size_t block = std::size_t{1} << 15;
  std::vector<std::unique_ptr<pending_event[]>> blocks_{};
  std::size_t size_ = 0;
};

}  // namespace ridge::trace
