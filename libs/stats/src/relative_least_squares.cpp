// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/relative_least_squares.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace ridge::stats {
namespace {

using coefficients = std::array<double, 3>;
using matrix = std::array<std::array<double, 4>, 3>;

double weight_of(std::span<const double> weights, std::size_t row) {
  return weights.empty() ? 1 : weights[row];
}

matrix normal_equations(std::span<const coefficients> rows, std::span<const std::size_t> used,
                        std::span<const double> weights) {
  matrix m{};
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const auto& r = rows[n];
    const double w = weight_of(weights, n);
    for (std::size_t i = 0; i < used.size(); ++i) {
      for (std::size_t j = 0; j < used.size(); ++j) m[i][j] += w * r[used[i]] * r[used[j]];
      m[i][3] += w * r[used[i]];
    }
  }
  return m;
}

// Solves by Gaussian elimination with pivots by size; returns nothing when the columns depend on each other.
std::optional<coefficients> solve(matrix m, std::size_t n) {
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t best = c;
    for (std::size_t r = c + 1; r < n; ++r) {
      if (std::fabs(m[r][c]) > std::fabs(m[best][c])) best = r;
    }
    std::swap(m[c], m[best]);
    if (m[c][c] == 0) return {};
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = m[r][c] / m[c][c];
      for (std::size_t k = c; k < 4; ++k) m[r][k] -= factor * m[c][k];
    }
  }
  coefficients a{};
  for (std::size_t i = 0; i < n; ++i) a[i] = m[i][3] / m[i][i];
  return a;
}

double squares_of(std::span<const coefficients> rows, const coefficients& a,
                  std::span<const double> weights) {
  double sum = 0;
  for (std::size_t n = 0; n < rows.size(); ++n)
    sum += weight_of(weights, n) * std::pow(a[0] * rows[n][0] + a[1] * rows[n][1] + a[2] * rows[n][2] - 1, 2);
  return sum;
}

}  // namespace

std::array<double, 3> relative_least_squares(std::span<const std::array<double, 3>> rows, std::size_t columns,
                                             std::span<const double> weights) {
  coefficients best{1, 0, 0};
  double least = std::numeric_limits<double>::infinity();
  for (unsigned held = 0; held < (1U << (columns - 1)); ++held) {
    std::vector<std::size_t> used{0};
    for (std::size_t c = 1; c < columns; ++c) {
      if ((held >> (c - 1) & 1U) == 0) used.push_back(c);
    }
    const auto some = solve(normal_equations(rows, used, weights), used.size());
    if (!some) continue;
    coefficients a{};
    bool sound = (*some)[0] > 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
      a[used[i]] = (*some)[i];
      sound = sound && (*some)[i] >= 0;
    }
    const double squares = squares_of(rows, a, weights);
    if (sound && squares < least) least = squares, best = a;
  }
  return best;
}

}  // namespace ridge::stats
