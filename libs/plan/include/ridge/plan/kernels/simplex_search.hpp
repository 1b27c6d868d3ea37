// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

namespace ridge::plan::kernels {

struct search_result {
  std::vector<double> at{};
  double value = 0;
  int evaluations = 0;
};

// Least value of a function of few numbers without derivatives: J. A. Nelder, R. Mead, "A Simplex Method for
// Function Minimization", The Computer Journal 7 (1965), with coefficients 1, 2, 1/2, 1/2. Starts from
// `start` and one step along each axis; ends after so many evaluations or when the simplex has shrunk.
[[nodiscard]] search_result simplex_search(const std::function<double(const std::vector<double>&)>& of,
                                           const std::vector<double>& start, const std::vector<double>& step,
                                           int most_evaluations);

}  // namespace ridge::plan::kernels
