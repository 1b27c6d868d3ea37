// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/ordered_bits.hpp>

#include <bit>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::gpu {
namespace {

std::uint32_t ordered(float x) { return ordered_bits(std::bit_cast<std::uint32_t>(x)); }

TEST(ordered_bits, follow_the_order_of_floats) {
  constexpr float huge = std::numeric_limits<float>::infinity(),
                  tiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> ascending{-huge, -3e38F, -1.5F, -1, -tiny, -0.0F, 0, tiny, 1, 1.5F, 3e38F, huge};
  for (std::size_t i = 1; i < ascending.size(); ++i)
    EXPECT_LT(ordered(ascending[i - 1]), ordered(ascending[i]));
}

TEST(ordered_bits, any_bits_come_back) {
  std::mt19937 bits(1);
  for (int i = 0; i < 10000; ++i) {
    const std::uint32_t drawn = bits();
    EXPECT_EQ(float_bits(ordered_bits(drawn)), drawn);
  }
  EXPECT_EQ(float_bits(ordered_bits(0)), 0U);
  EXPECT_EQ(ordered_bits(0xFFFFFFFFU), 0U);
}

}  // namespace
}  // namespace ridge::gpu
