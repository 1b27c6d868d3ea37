// SPDX-License-Identifier: Apache-2.0
#include <ridge/cpu/sum.hpp>

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "every_target.hpp"

namespace ridge::cpu {
namespace {

TEST(sum, takes_every_term_once_whatever_their_number) {
  for (const auto target : targets_here()) {
    const only_target scope(target);
    for (std::size_t n = 0; n < 300; ++n) {
      std::vector<float> terms(n);  // whole numbers, whose sums are exact in any order
      std::iota(terms.begin(), terms.end(), 1.F);
      const float expected = std::accumulate(terms.begin(), terms.end(), 0.F);
      EXPECT_EQ(sum_by_1_vector(terms), expected) << n;
      EXPECT_EQ(sum_by_4_vectors(terms), expected) << n;
      EXPECT_EQ(sum_by_8_vectors(terms), expected) << n;
    }
  }
}

}  // namespace
}  // namespace ridge::cpu
