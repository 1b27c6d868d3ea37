// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "diff/diff_side.hpp"

namespace ridge::trace {

// The smallest part of a diff. Every table sums such parts, after they were divided by the steps, so that all
// of them add up to the same nanosecond.
struct diff_part {
  std::uint32_t device = 0;  // the n-th of both sides
  diff_state state = diff_state::compute;
  std::string_view module{};  // path_text of its module; empty: not known
  std::string_view op{};
  std::string_view name{};
  diff_count calls{};
  diff_time busy{};
  diff_time time{};
};

// Collects parts of both sides by their texts.
class diff_part_table {
 public:
  // `with_ops`, `with_modules`: whether both sides tell them; else parts differ by name alone.
  diff_part_table(bool with_ops, bool with_modules) : with_ops_(with_ops), with_modules_(with_modules) {}

  void take(const side_times& side, std::uint32_t device, std::int64_t diff_count::*count,
            nanoseconds diff_time::*time);
  // Returns the parts, by device and state, and leaves nothing. Texts live as long as the traces and the
  // table.
  [[nodiscard]] std::vector<diff_part> parts() &&;

 private:
  using part_key =
      std::tuple<std::uint32_t, diff_state, std::string_view, std::string_view, std::string_view>;
  std::size_t part_of_key(const part_key& key);
  [[nodiscard]] std::string_view module_of(const side_times& side, work_id work);

  bool with_ops_, with_modules_;
  std::vector<diff_part> parts_{};
  std::map<part_key, std::size_t> known_{};
  std::map<std::pair<const scope_tree*, std::uint32_t>, std::string> paths_{};
};

// Divides the times of one side by its steps, so that sums of parts stay sums.
void divide_parts(std::vector<diff_part>& parts, nanoseconds diff_time::*side, std::int64_t steps);

// Returns the tree of modules and operators of all parts.
[[nodiscard]] std::vector<diff_node> tree_of(const std::vector<diff_part>& parts);

// Joins rows that only one side has with rows of the same state and operator that only the other has: those
// called equally often (per step) first, then by time.
void pair_renamed(std::vector<diff_row>& rows, std::int64_t steps_before, std::int64_t steps_after);

}  // namespace ridge::trace
