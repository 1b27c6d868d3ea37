// SPDX-License-Identifier: Apache-2.0
#include <ridge/workloads/bf16_product.hpp>

#include <array>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/harness/work.hpp>

namespace ridge::workloads {
namespace {

TEST(bf16_product, reads_extents_in_the_order_m_n_k) {
  const auto extents = extents_of("3x17x0");
  EXPECT_EQ(extents.m, 3U);
  EXPECT_EQ(extents.n, 17U);
  EXPECT_EQ(extents.k, 0U);
}

TEST(bf16_product, takes_no_other_text) {
  for (const auto* text : {"", "3", "3x", "3x17", "3x17x", "3x17x5x", "3x17x5 ", "x17x5", "3,17,5", "3x-1x5"})
    EXPECT_THROW(static_cast<void>(extents_of(text)), precondition_violated) << text;
}

TEST(bf16_product, rounds_rows_up) {
  EXPECT_EQ(pitch_of(0), 0U);
  EXPECT_EQ(pitch_of(1), 8U);
  EXPECT_EQ(pitch_of(8), 8U);
  EXPECT_EQ(pitch_of(17, 16), 32U);
}

TEST(bf16_product, multiplies_rows_by_rows_without_their_gaps) {
  const auto number = [](float x) { return bf16(x); };
  const std::array a{number(1), number(2), number(99), number(3), number(4), number(99)};
  const std::array b{number(5),  number(6), number(99), number(7), number(8),
                     number(99), number(9), number(1),  number(99)};
  std::array<bf16, 6> c{};
  const bf16_product product{.m = 2, .n = 3, .k = 2, .pitch = 3, .a = a, .b = b, .c = c};
  const std::array expected{17.0, 23.0, 11.0, 39.0, 53.0, 31.0};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(exact_element(product, i), expected[i]) << i;
}

TEST(bf16_product, counts_gaps_as_bytes_and_not_as_operations) {
  const auto counted = work_of({.m = 2, .n = 3, .k = 5});
  EXPECT_EQ(counted.bytes_read, (2 + 3) * 8 * 2);
  EXPECT_EQ(counted.bytes_written, 2 * 3 * 2);
  EXPECT_EQ(counted.flop, 2 * 2 * 3 * 5);
}

TEST(bf16_product, allows_the_next_number_of_its_type) {
  EXPECT_GE(rounded_sums(0).rel, 0x1p-7);
  EXPECT_GT(rounded_sums(4096).abs + rounded_sums(4096).rel, rounded_sums(1).abs + rounded_sums(1).rel);
}

}  // namespace
}  // namespace ridge::workloads
