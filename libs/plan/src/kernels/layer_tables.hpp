// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::kernels {

// Seconds over a count, as measured; linear between the points and beyond the last two, flat before the
// first.
class measured_line {
 public:
  void add(double at, double seconds) { points_[at] = seconds; }
  [[nodiscard]] bool empty() const { return points_.empty(); }
  [[nodiscard]] double seconds(double at) const;
  [[nodiscard]] double last() const { return points_.rbegin()->first; }

 private:
  std::map<double, double> points_{};
};

using lines_by_layer = std::map<std::string, measured_line>;

// layer, <count>, time_us
[[nodiscard]] result<lines_by_layer> read_layer_lines(const std::filesystem::path& file,
                                                      const std::string& count);

// moe.csv: tokens, activated_experts, time_us; a line over tokens for each number of experts.
[[nodiscard]] result<std::map<double, measured_line>> read_expert_lines(const std::filesystem::path& file);

// Where a value lies between two points of an axis.
struct bracket {
  std::size_t below = 0, above = 0;
  double share = 0;  // of the one above; more than 1 beyond the axis
};
[[nodiscard]] bracket bracket_of(const std::vector<double>& axis, double at);

}  // namespace ridge::plan::kernels
