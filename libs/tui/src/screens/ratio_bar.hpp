// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <ridge/base/interval.hpp>

namespace ridge::tui {

// The logarithmic scale of a column of ratios; 1 lies on it.
class ratio_scale final {
 public:
  // Makes the scale longer until it holds a ratio above 0, but not beyond `least` and `greatest`.
  void hold(double ratio, double least, double greatest);
  // Returns "   ├──●──┤ │    " in so many columns (9 at least): the interval, the ratio, and a line at 1;
  // ‹ and › at the ends for what lies beyond them.
  [[nodiscard]] std::string bar(double ratio, interval ci, std::size_t columns) const;
  // Returns the two ends in words: "0.5×" and "4×".
  [[nodiscard]] std::string least() const;
  [[nodiscard]] std::string greatest() const;

 private:
  [[nodiscard]] std::size_t place(double ratio, std::size_t columns) const;
  double least_ = 0.9, greatest_ = 1.1;
};

}  // namespace ridge::tui
