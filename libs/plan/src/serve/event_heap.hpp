// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ridge::plan::serve {

// The next time of each of a fixed number of sources, the earliest on top; ties go to the lowest number.
class event_heap {
 public:
  explicit event_heap(std::size_t sources) : time_(sources, never), order_(sources), place_(sources) {
    for (std::size_t i = 0; i < sources; ++i) order_[i] = place_[i] = static_cast<std::uint32_t>(i);
  }
  [[nodiscard]] double top_s() const { return order_.empty() ? never : time_[order_.front()]; }
  [[nodiscard]] std::uint32_t top() const { return order_.front(); }
  [[nodiscard]] double at(std::uint32_t source) const { return time_[source]; }
  void set(std::uint32_t source, double time_s) {
    time_[source] = time_s;
    sink(rise(place_[source]));
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const {
    return time_[a] < time_[b] || (time_[a] == time_[b] && a < b);
  }
  void swap_at(std::size_t i, std::size_t j) {
    std::swap(order_[i], order_[j]);
    place_[order_[i]] = static_cast<std::uint32_t>(i);
    place_[order_[j]] = static_cast<std::uint32_t>(j);
  }
  std::size_t rise(std::size_t position) {
    for (; position > 0 && before(order_[position], order_[(position - 1) / 2]);
         position = (position - 1) / 2)
      swap_at(position, (position - 1) / 2);
    return position;
  }
  void sink(std::size_t position) {
    while (true) {
      auto least = position;
      for (auto child = 2 * position + 1; child <= 2 * position + 2 && child < order_.size(); ++child) {
        if (before(order_[child], order_[least])) least = child;
      }
      if (least == position) return;
      swap_at(position, least);
      position = least;
    }
  }
  std::vector<double> time_;
  std::vector<std::uint32_t> order_, place_;
};

}  // namespace ridge::plan::serve
