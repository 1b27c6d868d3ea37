// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ridge/trace/device_work.hpp>

namespace ridge::trace {

// What a row of a kernel table gathers from its works, in one pass over them.
struct kernel_group {
  work_id first = none;
  work_id longest = none;
  std::uint32_t shapes = 0;  // different (grid, block)
  std::uint32_t count = 0;
  std::int64_t bytes = 0;
  std::uint32_t shared_bytes = 0;
  std::uint16_t registers = 0;
  nanoseconds longest_ns = -1;
  double occupancy_time = 0, occupancy_weight = 0;  // sum of occupancy x time, and of the time

  void add(const device_work& w, work_id id);
};

// Works grouped by (name, kind, device) and, where asked, by shape. Names may be as many as works, so a work
// costs eight bytes and a group no allocation of its own.
class kernel_groups {
 public:
  kernel_groups(std::span<const device_work> works, bool by_shape);
  void add(work_id id);
  [[nodiscard]] std::span<const kernel_group> all() const { return groups_; }
  // Returns the durations of all works, those of the first group first, in the order of the works.
  [[nodiscard]] std::vector<nanoseconds> lengths() const;

 private:
  // Works by what they share, found by hash; a row is its first work and the number it was given.
  class rows {
   public:
    rows(std::span<const device_work> works, bool by_shape);
    // Returns the number of the work's row; it equals size() before the call where the row is new.
    [[nodiscard]] std::uint32_t row_of(work_id id);
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(firsts_.size()); }

   private:
    [[nodiscard]] std::uint64_t hash_of(const device_work& w) const;
    [[nodiscard]] bool are_alike(const device_work& a, const device_work& b) const;
    void grow();
    std::span<const device_work> works_;
    bool by_shape_;
    std::vector<std::uint32_t> slots_;  // numbers of rows; `none`: empty
    std::vector<work_id> firsts_{};     // by row
  };

  std::span<const device_work> works_;
  rows shapes_, rows_;
  std::vector<std::uint32_t> group_of_shape_{};
  std::vector<kernel_group> groups_{};
  struct member {
    work_id work;
    std::uint32_t group;
  };
  std::vector<member> members_{};
};

}  // namespace ridge::trace
