// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/size_law.hpp>

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace ridge::stats {
namespace {

constexpr std::array all_laws{size_law::power, size_law::start_up, size_law::saturating};

template <class Function>
std::vector<size_point> measured(std::initializer_list<double> sizes, Function value) {
  std::vector<size_point> all;
  for (const double x : sizes) all.push_back({x, value(x)});
  return all;
}

TEST(size_law, finds_the_law_that_made_exact_points) {
  const auto power = measured({1, 10, 100, 1000}, [](double x) { return 3 * std::pow(x, 1.5); });
  const auto start = measured({1, 10, 100, 1000}, [](double x) { return 5 + 0.25 * x; });
  const auto rate = measured({1, 10, 100, 1000}, [](double x) { return 80 * x / (x + 40); });
  struct expected {
    const std::vector<size_point>* points;
    size_law law;
    double first, second;
  };
  for (const auto& [points, law, first, second] :
       {expected{&power, size_law::power, 3, 1.5}, expected{&start, size_law::start_up, 5, 0.25},
        expected{&rate, size_law::saturating, 80, 40}}) {
    const auto fits = fit_size_laws(all_laws, *points);
    ASSERT_TRUE(fits.ok());
    const auto& best = fits->front();
    EXPECT_EQ(best.law, law) << name_of(law);
    EXPECT_NEAR(best.first, first, 1e-6 * first);
    EXPECT_NEAR(best.second, second, 1e-6 * second);
    EXPECT_NEAR(best.left_out_error, 0, 1e-9);
    EXPECT_NEAR(*best.at(500),
                law == size_law::power      ? 3 * std::pow(500, 1.5)
                : law == size_law::start_up ? 130
                                            : 80 * 500.0 / 540,
                1e-4);
  }
}

TEST(size_law, says_nothing_outside_of_what_was_measured) {
  const auto fit = fit_size(size_law::power, measured({2, 4, 8}, [](double x) { return x; }));
  ASSERT_TRUE(fit.ok());
  EXPECT_FALSE(fit->at(1.9));
  EXPECT_FALSE(fit->at(8.1));
  EXPECT_FALSE(fit->band(16));
  EXPECT_TRUE(fit->at(2));
  EXPECT_TRUE(fit->band(8));
}

// Intervals hold the truth in 95 of 100 cases, whatever the number of points.
TEST(size_law, intervals_and_bands_cover_as_often_as_they_say) {
  std::mt19937_64 source(20);
  std::normal_distribution<double> noise(0, 0.03);
  for (const std::size_t count : {std::size_t{3}, std::size_t{6}}) {
    int start = 0, slope = 0, exponent = 0, line_band = 0;
    constexpr int times = 1000;
    for (int i = 0; i < times; ++i) {
      std::vector<size_point> line, power;
      for (std::size_t k = 0; k < count; ++k) {
        const double x = std::pow(4.0, static_cast<double>(k));
        line.push_back({x, (10 + 2 * x) * (1 + noise(source))});
        power.push_back({x, 7 * std::pow(x, 0.8) * std::exp(noise(source))});
      }
      const auto a = fit_size(size_law::start_up, line).value();
      const auto p = fit_size(size_law::power, power).value();
      start += a.first_ci.contains(10), slope += a.second_ci.contains(2);
      exponent += p.second_ci.contains(0.8);
      line_band += a.band(4)->contains(18);
    }
    for (const int covered : {start, slope, exponent, line_band}) {
      EXPECT_GT(covered, 0.92 * times) << count << " points";
      EXPECT_LT(covered, 0.98 * times) << count << " points";
    }
  }
}

TEST(size_law, a_coefficient_that_would_be_negative_is_zero) {
  // y = x - 1 would start below zero: the start is zero, and the slope is fitted alone.
  const auto fit = fit_size(size_law::start_up, measured({2, 4, 8, 16}, [](double x) { return x - 1; }));
  ASSERT_TRUE(fit.ok());
  EXPECT_EQ(fit->first, 0);
  EXPECT_GT(fit->second, 0.5);
  EXPECT_LT(fit->second, 1);
  // A constant rate is saturated everywhere.
  const auto rate = fit_size(size_law::saturating, measured({1, 10, 100}, [](double) { return 6.0; }));
  EXPECT_NEAR(rate->first, 6, 1e-9);
  EXPECT_NEAR(rate->second, 0, 1e-9);
}

TEST(size_law, refuses_what_shows_no_growth) {
  const std::vector<size_point> two{{1, 1}, {2, 2}, {2, 2.1}}, zero{{1, 1}, {2, 0}, {3, 3}};
  EXPECT_NE(fit_size(size_law::power, two).why().text().find("2 sizes"), std::string::npos);
  EXPECT_NE(fit_size(size_law::power, zero).why().text().find("the size 2"), std::string::npos);
  EXPECT_FALSE(fit_size_laws(all_laws, two).ok());
}

}  // namespace
}  // namespace ridge::stats
