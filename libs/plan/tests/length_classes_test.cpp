// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/length_classes.hpp>

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::plan {
namespace {

double mean_input(const std::vector<length_class>& all) {
  double sum = 0, weights = 0;
  for (const auto& c : all) {
    sum += c.weight * c.input_tokens;
    weights += c.weight;
  }
  return sum / weights;
}

TEST(length_classes, a_fixed_length_is_one_class) {
  const auto all = length_classes_of("1024", "256").value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].input_tokens, 1024);
  EXPECT_EQ(all[0].output_tokens, 256);
}

TEST(length_classes, keep_the_mean_and_the_spread) {
  const auto even = length_classes_of("uniform:100:900", "256").value();
  EXPECT_NEAR(mean_input(even), 500, 1);
  EXPECT_NEAR(even.back().input_tokens, 860, 1);  // the 95th percentile
  const auto skewed = length_classes_of("lognormal:512:200", "lognormal:100:50").value();
  EXPECT_NEAR(mean_input(skewed), 512, 10);
  EXPECT_EQ(skewed.size(), 60u);
}

TEST(length_classes, what_is_no_distribution_is_refused) {
  EXPECT_FALSE(length_classes_of("many", "256").ok());
  EXPECT_FALSE(length_classes_of("1024", "uniform:9").ok());
}

}  // namespace
}  // namespace ridge::plan
