// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/outliers.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace ridge::stats {
namespace {

TEST(outliers, mild_and_severe_on_both_sides) {
  // Quartiles 3 and 7: inner fences -3 and 13, outer fences -9 and 19.
  const std::vector<double> x{1, 2, 3, 3, 4, 5, 6, 7, 7, 8, 9};
  const auto fence = tukey_fences(x);
  EXPECT_EQ(fence.inner, (interval{-3, 13}));
  EXPECT_EQ(fence.outer, (interval{-9, 19}));
  EXPECT_EQ(count_outliers(x), (outliers{0, 0}));

  std::vector<double> wild(40, 5);
  for (int i = 0; i < 40; ++i) wild[static_cast<std::size_t>(i)] = i % 5;  // quartiles 1 and 3
  wild.insert(wild.end(), {-3, 6.5, 30});
  EXPECT_EQ(count_outliers(wild), (outliers{2, 1}));
}

TEST(outliers, anything_unlike_a_constant_is_severe) {
  EXPECT_EQ(count_outliers(std::vector<double>{2, 2, 2, 2, 2, 2, 2, 3}), (outliers{0, 1}));
}

}  // namespace
}  // namespace ridge::stats
