// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <ridge/trace/device_work.hpp>

namespace ridge::trace {

// What a row of a kernel table gathers from its works, in one pass over them.
struct kernel_group {
  std::vector<nanoseconds> lengths{};
  work_id first = none;
  work_id longest = none;
  std::uint32_t shapes = 0;  // different (grid, block)
  std::int64_t bytes = 0;
  std::uint32_t shared_bytes = 0;
  std::uint16_t registers = 0;
  nanoseconds longest_ns = -1;
  double occupancy_time = 0, occupancy_weight = 0;  // sum of occupancy x time, and of the time

  void add(const device_work& w, work_id id);
};

// Works grouped by (name, kind, device) and, where asked, by shape.
class kernel_groups {
 public:
  explicit kernel_groups(bool by_shape) : by_shape_(by_shape) {}
  void add(const device_work& w, work_id id);
  [[nodiscard]] std::span<kernel_group> all() { return groups_; }

 private:
  // name, device and kind, then grid and block.
  using key = std::array<std::uint32_t, 9>;
  struct hash {
    std::size_t operator()(const key& k) const;
  };
  [[nodiscard]] std::uint32_t group_of(const key& k);
  bool by_shape_ = false;
  std::unordered_map<key, std::uint32_t, hash> shapes_{};  // the group of each shape
  std::unordered_map<key, std::uint32_t, hash> rows_{};
  std::vector<kernel_group> groups_{};
};

}  // namespace ridge::trace
