// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/e2m1_code.hpp>

#include <bit>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include <ridge/base/element.hpp>

namespace ridge::gpu {
namespace {

std::uint32_t code(float x) { return e2m1_code(x) & 7U; }

TEST(e2m1_code, every_code_gives_itself) {
  for (std::uint8_t c = 0; c < 8; ++c) EXPECT_EQ(code(float{e2m1::from_bits(c)}), c);
}

TEST(e2m1_code, halfway_cases_go_to_the_even_code_and_their_neighbours_to_the_nearer_one) {
  for (std::uint8_t c = 0; c < 7; ++c) {
    const float tie =
        (float{e2m1::from_bits(c)} + float{e2m1::from_bits(static_cast<std::uint8_t>(c + 1))}) / 2;
    EXPECT_EQ(code(tie), c + c % 2U) << tie;
    EXPECT_EQ(code(std::nextafter(tie, 0.0F)), c) << tie;
    EXPECT_EQ(code(std::nextafter(tie, 8.0F)), c + 1U) << tie;
  }
}

TEST(e2m1_code, agrees_with_the_bit_level_model) {
  for (std::uint32_t bits = 0; bits < 0x7F800000U; bits += 9973) {
    const auto x = std::bit_cast<float>(bits);
    ASSERT_EQ(code(x), e2m1(x).bits) << x;
  }
}

}  // namespace
}  // namespace ridge::gpu
