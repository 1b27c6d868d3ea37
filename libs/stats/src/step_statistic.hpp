// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ridge::stats {

// A step between two neighbouring parts [begin, split) and [split, end).
struct step {
  std::size_t begin = 0;
  std::size_t split = 0;  // index of the first observation after the step
  std::size_t end = 0;
  double height = 0;  // |difference of means| * sqrt(n1 * n2 / (n1 + n2))
};

// The greatest step within n observations, with at least `fewest` of them on either side. With parts, steps
// within halves, quarters and so on count too, which overlap by half: seeded binary segmentation (Kovács,
// Bühlmann, Li & Munk, Biometrika 110, 2023).
class step_statistic {
 public:
  step_statistic(std::size_t n, std::size_t fewest, bool parts);

  // Returns the greatest step of n observations, or its height alone, which is faster.
  [[nodiscard]] step greatest(std::span<const double> x);
  [[nodiscard]] double greatest_height(std::span<const double> x);

 private:
  struct part {
    std::size_t begin = 0, length = 0;
    std::size_t weights = 0;  // index of its weights
  };
  struct part_sums;
  [[nodiscard]] part_sums sums_of(const part& range) const;
  void add_up(std::span<const double> x);
  [[nodiscard]] double height_within(const part& range) const;
  [[nodiscard]] step locate(const part& range, double height) const;

  std::size_t fewest_;
  std::vector<std::vector<double>>
      weights_{};  // of each length of parts, by the observations before the step
  std::vector<part> parts_{};
  std::vector<double> sums_{};  // of the first i observations
};

}  // namespace ridge::stats
