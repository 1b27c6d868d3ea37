// SPDX-License-Identifier: Apache-2.0
#include <ridge/workloads/product_problem.hpp>

#include <array>
#include <memory>
#include <span>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/device/device.hpp>
#include <ridge/device/host_options.hpp>
#include <ridge/harness/memory.hpp>
#include <ridge/harness/work.hpp>

namespace ridge::backends::device_host {
[[nodiscard]] std::unique_ptr<device::device> make(device::host_options options);
}  // namespace ridge::backends::device_host

namespace ridge::workloads {
namespace {

TEST(product_problem, reads_extents_in_the_order_m_n_k) {
  const auto extents = extents_of("3x17x0");
  EXPECT_EQ(extents.m, 3U);
  EXPECT_EQ(extents.n, 17U);
  EXPECT_EQ(extents.k, 0U);
}

TEST(product_problem, takes_no_other_text) {
  for (const auto* text : {"", "3", "3x", "3x17", "3x17x", "3x17x5x", "3x17x5 ", "x17x5", "3,17,5", "3x-1x5"})
    EXPECT_THROW(static_cast<void>(extents_of(text)), precondition_violated) << text;
}

TEST(product_problem, rounds_rows_up) {
  EXPECT_EQ(pitch_of(0), 0U);
  EXPECT_EQ(pitch_of(1), 8U);
  EXPECT_EQ(pitch_of(8), 8U);
  EXPECT_EQ(pitch_of(17, 16), 32U);
}

TEST(product_problem, multiplies_rows_by_rows_without_their_gaps) {
  const auto number = [](float x) { return bf16(x); };
  const std::array a{number(1), number(2), number(99), number(3), number(4), number(99)};
  const std::array b{number(5),  number(6), number(99), number(7), number(8),
                     number(99), number(9), number(1),  number(99)};
  std::array<bf16, 6> c{};
  const bf16_product product{.m = 2, .n = 3, .k = 2, .pitch = 3, .a = a, .b = b, .c = c};
  const std::array expected{17.0, 23.0, 11.0, 39.0, 53.0, 31.0};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(exact_element(product, i), expected[i]) << i;
}

TEST(product_problem, multiplies_fp32_without_rounding) {
  const std::array a{1.0F, 0x1p-24F}, b{1.0F, 0x1p-24F};
  std::array<float, 1> c{};
  const fp32_product product{.m = 1, .n = 1, .k = 2, .pitch = 2, .a = a, .b = b, .c = c};
  EXPECT_EQ(exact_element(product, 0), 1 + 0x1p-48);
}

TEST(product_problem, has_no_arrays_before_somebody_makes_them) {
  const auto shape = without_arrays<bf16>({.m = 2, .n = 3, .k = 17}, 16);
  EXPECT_EQ(shape.m, 2);
  EXPECT_EQ(shape.n, 3);
  EXPECT_EQ(shape.k, 17);
  EXPECT_EQ(shape.pitch, 32);
  EXPECT_TRUE(shape.a.empty() && shape.b.empty() && shape.c.empty());
}

TEST(product_problem, makes_operands_with_gaps_and_then_the_target) {
  const auto host = backends::device_host::make({});
  memory arrays(*host, device::guard::red_zones, device::placement::ordinary, {});
  const auto made = make_product<float>({.m = 2, .n = 3, .k = 5}, arrays);
  EXPECT_EQ(made.a.size(), 2U * 8);
  EXPECT_EQ(made.b.size(), 3U * 8);
  EXPECT_EQ(made.c.size(), 2U * 3);
  ASSERT_EQ(arrays.arrays().size(), 3U);
  EXPECT_EQ(arrays.arrays()[0].bytes().data(), std::as_bytes(made.a).data());
  EXPECT_EQ(arrays.arrays()[2].use, use::out);
}

TEST(product_problem, counts_gaps_as_bytes_and_not_as_operations) {
  const auto counted = work_of<bf16>({.m = 2, .n = 3, .k = 5});
  EXPECT_EQ(counted.bytes_read, (2 + 3) * 8 * 2);
  EXPECT_EQ(counted.bytes_written, 2 * 3 * 2);
  EXPECT_EQ(counted.flop, 2 * 2 * 3 * 5);
  EXPECT_EQ(work_of<float>({.m = 2, .n = 3, .k = 5}).bytes(), 2 * counted.bytes());
}

TEST(product_problem, allows_the_next_number_of_its_type) {
  EXPECT_GE(rounded_sums(0).rel, 0x1p-7);
  EXPECT_GT(rounded_sums(4096).abs + rounded_sums(4096).rel, rounded_sums(1).abs + rounded_sums(1).rel);
}

}  // namespace
}  // namespace ridge::workloads
