// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/fit.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::stats {
namespace {

// F. J. Anscombe, "Graphs in statistical analysis", The American Statistician 27 (1973), first set.
const std::vector<double> anscombe_x{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
const std::vector<double> anscombe_y{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};

TEST(least_squares, anscombe_as_published) {
  const auto fit = ordinary_least_squares(anscombe_x, anscombe_y);
  EXPECT_NEAR(fit.slope, 0.5001, 5e-5);
  EXPECT_NEAR(fit.intercept, 3.0001, 5e-5);
  EXPECT_NEAR(fit.r2, 0.6665, 5e-5);
}

TEST(least_squares, refuses_constant_x) {
  const std::vector<double> x{2, 2};
  EXPECT_THROW(static_cast<void>(ordinary_least_squares(x, x)), precondition_violated);
  EXPECT_THROW(static_cast<void>(theil_sen(x, x)), precondition_violated);
}

TEST(theil_sen, wild_points_do_not_move_it) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 20; ++i) {
    x.push_back(i);
    y.push_back(3.0 * i + 1);
  }
  y[3] = 1e6;
  y[17] = -1e6;
  EXPECT_DOUBLE_EQ(theil_sen(x, y), 3);
  EXPECT_LT(ordinary_least_squares(x, y).slope, 0);
}

TEST(power_law, finds_factor_and_exponent) {
  std::vector<double> x;
  std::vector<double> y;
  for (const double v : {1.0, 8.0, 64.0, 512.0}) {
    x.push_back(v);
    y.push_back(2.5 * std::pow(v, 1.5));
  }
  const auto fit = fit_power_law(x, y);
  EXPECT_NEAR(fit.factor, 2.5, 1e-12);
  EXPECT_NEAR(fit.exponent, 1.5, 1e-12);
  EXPECT_NEAR(fit.r2, 1, 1e-12);
}

}  // namespace
}  // namespace ridge::stats
