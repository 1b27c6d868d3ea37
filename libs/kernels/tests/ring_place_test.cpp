// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/ring_place.hpp>

#include <gtest/gtest.h>

namespace ridge::kernels {
namespace {

struct three_stages {
  static constexpr unsigned stages = 3;
};

TEST(ring_place, changes_parity_with_every_round) {
  ring_place<three_stages> at;
  unsigned stages[7], parities[7];
  for (int i = 0; i < 7; ++i, at.advance()) stages[i] = at.stage, parities[i] = at.parity;
  const unsigned expected_stages[] = {0, 1, 2, 0, 1, 2, 0}, expected_parities[] = {0, 0, 0, 1, 1, 1, 0};
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(stages[i], expected_stages[i]) << i;
    EXPECT_EQ(parities[i], expected_parities[i]) << i;
  }
}

TEST(ring_place, skips_as_it_advances) {
  for (unsigned before = 0; before < 6; ++before)
    for (unsigned steps = 0; steps < 14; ++steps) {
      ring_place<three_stages> skipped, advanced;
      for (unsigned i = 0; i < before; ++i) skipped.advance(), advanced.advance();
      skipped.skip(steps);
      for (unsigned i = 0; i < steps; ++i) advanced.advance();
      EXPECT_EQ(skipped.stage, advanced.stage) << before << " and " << steps;
      EXPECT_EQ(skipped.parity, advanced.parity) << before << " and " << steps;
    }
}

}  // namespace
}  // namespace ridge::kernels
