// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/special.hpp>

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace ridge::stats {
namespace {

TEST(normal, matches_tables_in_both_tails) {
  EXPECT_NEAR(normal_cdf(1.959963984540054), 0.975, 1e-15);
  EXPECT_NEAR(normal_cdf(-10) / 7.61985302416052606e-24, 1, 1e-12);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.995), 2.575829303548901, 1e-14);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-16);
}

TEST(normal, quantile_inverts_the_distribution_far_out) {
  for (const double p : {1e-300, 1e-30, 1e-9, 0.001, 0.2, 0.49}) {
    EXPECT_NEAR(normal_cdf(normal_quantile(p)) / p, 1, 1e-11) << p;
  }
}

TEST(binomial, small_cases_by_hand) {
  EXPECT_NEAR(binomial_pmf(3, 6, 0.5), 20.0 / 64, 1e-15);
  EXPECT_NEAR(binomial_cdf(1, 6, 0.5), 7.0 / 64, 1e-15);
  EXPECT_NEAR(binomial_cdf(4, 6, 0.5), 57.0 / 64, 1e-15);
  EXPECT_NEAR(binomial_pmf(2, 20, 0.1), 190 * 0.01 * std::pow(0.9, 18), 1e-15);
  EXPECT_EQ(binomial_cdf(6, 6, 0.5), 1);
  EXPECT_EQ(binomial_pmf(0, 5, 0.0), 1);
}

TEST(binomial, stays_exact_for_a_million) {
  // Symmetry: P(X <= n/2) = (1 + P(X = n/2)) / 2, and the central term is 1/sqrt(pi n/2) (1 - 1/(4n) + ...).
  const std::size_t n = 1'000'000;
  const double center = 1 / std::sqrt(std::numbers::pi * 5e5) * (1 - 1 / 4e6 + 1 / 32e12);
  EXPECT_NEAR(binomial_pmf(n / 2, n, 0.5) / center, 1, 1e-12);
  EXPECT_NEAR(binomial_cdf(n / 2, n, 0.5), (1 + center) / 2, 1e-12);
  // Two identities of mass: the whole, and the complement seen from the other side.
  EXPECT_NEAR(binomial_cdf(10'050, n, 0.01) + binomial_cdf(n - 10'051, n, 0.99), 1, 1e-11);
}

TEST(student, quantiles_match_the_published_table) {
  EXPECT_NEAR(student_t_quantile(0.975, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 2), 4.303, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 4), 2.776, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.995, 9), 3.250, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.95, 30), 1.697, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.9995, 5), 6.869, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.025, 4), -2.776, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 1e7), normal_quantile(0.975), 1e-6);
}

TEST(student, the_quantile_inverts_the_distribution) {
  for (const double freedom : {1.0, 2.5, 4.0, 37.0}) {
    for (const double p : {1e-8, 0.01, 0.3, 0.9}) {
      EXPECT_NEAR(student_t_cdf(student_t_quantile(p, freedom), freedom) / p, 1, 1e-11)
          << p << ' ' << freedom;
    }
  }
}

// The reference values are from an independent implementation in extended precision.
TEST(student, keeps_its_precision_for_many_degrees_of_freedom) {
  EXPECT_NEAR(student_t_cdf(-5, 50000) / 2.8761925284706297e-07, 1, 1e-12);
  EXPECT_NEAR(log_beta(0.5, 5e4) / log_beta(5e4, 0.5), 1, 0);
  EXPECT_NEAR(log_beta(20, 30) / (std::lgamma(20) + std::lgamma(30) - std::lgamma(50)), 1, 1e-14);
  EXPECT_NEAR(log_beta(3, 40) / -std::log(0.5 * 40 * 41 * 42), 1, 1e-14);
}

TEST(student, one_and_two_degrees_have_closed_forms) {
  EXPECT_NEAR(student_t_cdf(2.5, 1), 0.5 + std::atan(2.5) / std::numbers::pi, 1e-13);
  EXPECT_NEAR(student_t_cdf(-2.5, 2), 0.5 - 2.5 / (2 * std::sqrt(2 + 2.5 * 2.5)), 1e-13);
  EXPECT_NEAR(student_t_quantile(1e-6, 1), -1 / std::tan(std::numbers::pi * 1e-6), 1e-3);
}

}  // namespace
}  // namespace ridge::stats
