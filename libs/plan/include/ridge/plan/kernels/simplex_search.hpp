// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

namespace ridge::plan::kernels {

// The least value found, the point where it was found, and the number of evaluations.
struct search_result {
  std::vector<double> point{};
  double value = 0;
  int evaluations = 0;
};

// Minimizes a function of few variables without derivatives: J. A. Nelder, R. Mead, "A Simplex Method for
// Function Minimization", The Computer Journal 7 (1965), with coefficients 1, 2, 1/2, 1/2. The first
// simplex is `start` and one step along each axis; the search ends after `most_evaluations` or when the
// simplex has shrunk.
[[nodiscard]] search_result simplex_search(const std::function<double(const std::vector<double>&)>& value,
                                           const std::vector<double>& start, const std::vector<double>& step,
                                           int most_evaluations);

}  // namespace ridge::plan::kernels
