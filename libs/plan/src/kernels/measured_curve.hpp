// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace ridge::plan::kernels {

// Seconds at the speed of light of a size.
using light = std::function<double(double)>;

// Measured seconds over one size. Between two measurements linear; below the first its time; beyond the last
// its utilisation.
class measured_curve {
 public:
  void add(double size, double seconds) { points_.push_back({size, seconds}); }
  // Sorts; of the same size the shortest is kept (an engine picks its best kernel).
  void finish();
  [[nodiscard]] bool empty() const { return points_.empty(); }
  [[nodiscard]] std::size_t size() const { return points_.size(); }
  [[nodiscard]] double at(double size, const light& ideal) const;
  // As at(), as if the measurement of this place were missing.
  [[nodiscard]] double without(std::size_t place, const light& ideal) const;
  struct point {
    double size = 0, seconds = 0;
  };
  [[nodiscard]] const std::vector<point>& points() const { return points_; }

 private:
  std::vector<point> points_{};
};

// Curves over a second size, each along the first: attention by batch and length.
class measured_surface {
 public:
  measured_curve& row(double at);
  void finish();
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  using light_of_both = std::function<double(double row, double size)>;
  // Blends the two rows around in proportion; beyond the outer rows their utilisation.
  [[nodiscard]] double at(double row, double size, const light_of_both& ideal) const;
  struct line {
    double at = 0;
    measured_curve curve{};
  };
  [[nodiscard]] const std::vector<line>& rows() const { return rows_; }

 private:
  std::vector<line> rows_{};
};

}  // namespace ridge::plan::kernels
