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

 private:
  std::map<double, double> points_{};
};

using lines_by_layer = std::map<std::string, measured_line>;

// Reads a table with the columns layer, <count>, time_us.
[[nodiscard]] result<lines_by_layer> read_layer_lines(const std::filesystem::path& file,
                                                      const std::string& count);

// Reads moe.csv (tokens, activated_experts, time_us) into a curve over tokens for each number of experts.
[[nodiscard]] result<std::map<double, measured_line>> read_expert_lines(const std::filesystem::path& file);

// The position of a value between two points of an axis.
struct bracket {
  std::size_t below = 0, above = 0;
  double share = 0;  // weight of the upper point; more than 1 beyond the axis
};
[[nodiscard]] bracket bracket_of(const std::vector<double>& axis, double position);

}  // namespace ridge::plan::kernels
