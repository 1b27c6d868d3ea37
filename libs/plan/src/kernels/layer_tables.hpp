// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::kernels {

// Measured seconds by a count: linear between the points and beyond the last two, constant before the first.
class measured_line {
 public:
  void add(double position, double seconds) { points_[position] = seconds; }
  [[nodiscard]] bool empty() const { return points_.empty(); }
  [[nodiscard]] double seconds(double position) const;
  [[nodiscard]] double last() const { return points_.rbegin()->first; }
  [[nodiscard]] std::size_t size() const { return points_.size(); }

 private:
  std::map<double, double> points_{};
};

using lines_by_layer = std::map<std::string, measured_line>;

// Reads a table with the columns layer, <count>, time_us. The error names file, line and column of a value
// that cannot be, or the layer of which fewer than two counts were measured.
[[nodiscard]] result<lines_by_layer> read_layer_lines(const std::filesystem::path& file,
                                                      const std::string& count);

// Measured seconds of the experts of one layer: a curve over tokens for each number of experts in use.
struct expert_lines {
  int ranks = 1;  // among which the experts were divided when they were measured
  std::map<double, measured_line> by_experts{};

  [[nodiscard]] bool empty() const { return by_experts.empty(); }
  // Linear between numbers of experts, constant outside.
  [[nodiscard]] double seconds(double experts, double tokens) const;
};

// Reads moe.csv (tokens, activated_experts, time_us and, in the later layout, ep): the rows measured with
// experts divided among so many ranks, else undivided.
[[nodiscard]] result<expert_lines> read_expert_lines(const std::filesystem::path& file, int ranks);

// The position of a value between two points of an axis.
struct bracket {
  std::size_t below = 0, above = 0;
  double share = 0;  // weight of the upper point; more than 1 beyond the axis
};
[[nodiscard]] bracket bracket_of(const std::vector<double>& axis, double position);

}  // namespace ridge::plan::kernels
