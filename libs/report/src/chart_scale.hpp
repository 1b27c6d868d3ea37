// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/report/chart.hpp>

namespace ridge::report {

// Maps values of an axis to positions along a length.
class chart_ruler final {
 public:
  // `least` <= `greatest`; both are above zero on a logarithmic axis.
  chart_ruler(const chart_axis& axis, double least, double greatest, double length);

  [[nodiscard]] double at(double value) const;  // 0 at the least, `length` at the greatest
  [[nodiscard]] bool takes(double value) const;
  [[nodiscard]] std::vector<double> ticks() const;
  [[nodiscard]] std::string text(double tick) const;

 private:
  [[nodiscard]] std::vector<double> powers_of_two() const;
  [[nodiscard]] double placed(double value) const;
  chart_axis axis_;
  double least_, greatest_, length_, step_ = 0;
};

}  // namespace ridge::report
