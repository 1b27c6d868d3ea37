// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace ridge::plan::kernels {

// Roofline bound of a size, in seconds.
using light = std::function<double(double)>;

// Measured seconds over one size: linear between measurements, constant below the first, and with the
// utilization of the last beyond it.
class measured_curve {
 public:
  void add(double size, double seconds) { points_.push_back({size, seconds}); }
  // Sorts the measurements and keeps the shortest of each size (an engine picks its best kernel).
  void finish();
  [[nodiscard]] bool empty() const { return points_.empty(); }
  [[nodiscard]] std::size_t size() const { return points_.size(); }
  [[nodiscard]] double at(double size, const light& ideal) const;
  // As at(), ignoring a measurement at this size.
  [[nodiscard]] double without(std::size_t place, const light& ideal) const;
  struct point {
    double size = 0, seconds = 0;
  };
  [[nodiscard]] const std::vector<point>& points() const { return points_; }

 private:
  std::vector<point> points_{};
};

// Curves of one size for values of a second size: attention by batch and length.
class measured_surface {
 public:
  measured_curve& row(double position);
  void finish();
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  using light_of_both = std::function<double(double row, double size)>;
  // Interpolates between the two neighbouring rows; beyond the outer rows it uses their utilization.
  [[nodiscard]] double at(double row, double size, const light_of_both& ideal) const;
  struct line {
    double row = 0;
    measured_curve curve{};
  };
  [[nodiscard]] const std::vector<line>& rows() const { return rows_; }

 private:
  std::vector<line> rows_{};
};

}  // namespace ridge::plan::kernels
