// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/splitmix.hpp>

#include <array>

#include <gtest/gtest.h>

namespace ridge {
namespace {

// The first outputs for seed 1234567, as the reference implementation in C prints them.
TEST(splitmix, gives_the_published_sequence) {
  splitmix_generator next(1234567);
  EXPECT_EQ(next(), 6457827717110365317U);
  EXPECT_EQ(next(), 3203168211198807973U);
  EXPECT_EQ(next(), 9817491932198370423U);
  EXPECT_EQ(splitmix64(1234567), 6457827717110365317U);
  EXPECT_EQ(splitmix_finalizer(0), 0U);
}

TEST(splitmix, numbers_below_a_bound_are_spread_evenly) {
  splitmix_generator next(7);
  std::array<int, 5> seen{};
  for (int i = 0; i < 5000; ++i) ++seen.at(next.below(5));
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(next.below(1), 0U);
  EXPECT_EQ(next.below(0), 0U);
}

}  // namespace
}  // namespace ridge
