// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/units.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(quantity, reads_well_at_every_scale) {
  EXPECT_EQ(format_quantity(4.12e-7, "s"), "412 ns");
  EXPECT_EQ(format_quantity(0.0123, "s"), "12.3 ms");
  EXPECT_EQ(format_quantity(75.0, "s"), "75.0 s");
  EXPECT_EQ(format_quantity(65536, "B"), "64.0 KiB");
  EXPECT_EQ(format_quantity(4.81e12, "B/s"), "4.81 TB/s");
  EXPECT_EQ(format_quantity(2.8e11, "FLOP/s"), "280 GFLOP/s");
  EXPECT_EQ(format_quantity(0.42, "1"), "42.0 %");
  EXPECT_EQ(format_quantity(0, "s"), "0 s");
  EXPECT_EQ(format_quantity(std::nan(""), "s"), "-");
}

TEST(quantity, rounding_never_prints_a_thousand_of_a_smaller_unit) {
  EXPECT_EQ(format_quantity(999.96e-9, "s"), "1.00 µs");
}

TEST(ratio, shows_as_many_decimals_as_the_interval_carries) {
  EXPECT_EQ(format_ratio(1.78312, 1.70, 1.85), "1.783×");
  EXPECT_EQ(format_ratio(1.0001, 1.0, 1.0002), "1.0001×");
  EXPECT_EQ(format_ratio(31.2, 20.0, 40.0), "31.20×");
}

TEST(count, powers_of_two_and_groups) {
  EXPECT_EQ(format_count(1 << 20), "2^20");
  EXPECT_EQ(format_count(1234567), "1 234 567");
  EXPECT_EQ(format_count(999), "999");
}

}  // namespace
}  // namespace ridge
