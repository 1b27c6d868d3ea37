// SPDX-License-Identifier: Apache-2.0
#include <ridge/measure/gpu_summary.hpp>

#include <limits>

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using words = std::vector<std::string>;

gpu_state block(double mhz, double watts, double celsius, words reasons = {}) {
  return {
      .sm_clock_mhz = mhz, .power_w = watts, .temperature_c = celsius, .throttled_by = std::move(reasons)};
}

TEST(gpu_summary, takes_middles_ends_and_shares) {
  const gpu_state blocks[] = {block(1980, 300, 45), block(1620, 500, 51, {"power cap", "thermal slowdown"}),
                              block(1755, 412, 50, {"power cap"}), block(1755, 420, 48),
                              block(1755, 400, 49)};
  const auto s = summarize(blocks);
  EXPECT_EQ(s.blocks, 5u);
  EXPECT_EQ(s.sm_clock_mhz->median, 1755);
  EXPECT_EQ(s.sm_clock_mhz->least, 1620);
  EXPECT_EQ(s.sm_clock_mhz->most, 1980);
  EXPECT_EQ(s.median_power_w, 412);
  EXPECT_EQ(s.most_temperature_c, 51);
  EXPECT_DOUBLE_EQ(*s.throttled_share, 0.4);
  ASSERT_EQ(s.reasons.size(), 2u);
  EXPECT_EQ(s.reasons[0].reason, "power cap");
  EXPECT_DOUBLE_EQ(s.reasons[0].share, 0.4);
  EXPECT_EQ(s.text(),
            "SM clock 1755 MHz (1620..1980), 412 W, 51 C, power cap in 40 % of blocks, "
            "thermal slowdown in 20 % of blocks");
}

TEST(gpu_summary, of_an_even_number_of_blocks_lies_between_the_middle_two) {
  const gpu_state blocks[] = {block(1000, 100, 40), block(2000, 300, 40), block(1200, 200, 40),
                              block(1100, 150, 40)};
  const auto s = summarize(blocks);
  EXPECT_DOUBLE_EQ(s.sm_clock_mhz->median, 1150);
  EXPECT_DOUBLE_EQ(*s.median_power_w, 175);
}

TEST(gpu_summary, of_one_steady_clock_shows_no_range) {
  const gpu_state blocks[] = {block(1980, 412.4, 51), block(1980, 412.4, 51)};
  EXPECT_EQ(summarize(blocks).text(), "SM clock 1980 MHz, 412 W, 51 C, not throttled");
}

TEST(gpu_summary, of_nothing_says_so) {
  EXPECT_EQ(summarize({}).text(), "no readings of the GPU");
  const gpu_state silent[] = {{}};
  EXPECT_EQ(summarize(silent).text(), "SM clock unknown, throttling unknown");
}

TEST(gpu_summary, leaves_out_what_a_block_does_not_know) {
  const gpu_state blocks[] = {block(1800, 400, 50, {"power cap"}), {.power_w = 600}, {}};
  const auto s = summarize(blocks);
  EXPECT_EQ(s.sm_clock_mhz->median, 1800);
  EXPECT_EQ(s.median_power_w, 500);
  EXPECT_EQ(s.throttled_share, 1.0) << "of the one block whose reasons are known";
}

TEST(gpu_summary, is_not_led_astray_by_odd_values) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const gpu_state blocks[] = {block(nan, infinite, nan, {"power cap", "power cap"}), block(1500, 300, 60)};
  const auto s = summarize(blocks);
  EXPECT_EQ(s.sm_clock_mhz->most, 1500);
  EXPECT_EQ(s.most_temperature_c, 60);
  EXPECT_EQ(s.median_power_w, 300);
  EXPECT_EQ(s.reasons.at(0).share, 0.5) << "a reason named twice is one";
}

TEST(gpu_summary, tells_when_it_was_read_too_late) {
  auto late = block(345, 80, 40);
  late.idle = true;
  const gpu_state blocks[] = {block(1980, 400, 50), late};
  EXPECT_NE(summarize(blocks).text().find("idle in 50 % of blocks"), std::string::npos);
}

}  // namespace
}  // namespace ridge::measure
