// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/roofline_place.hpp>

#include <gtest/gtest.h>

namespace ridge::trace {
namespace {

device_peaks round_peaks() {
  device_peaks p{.bytes_per_s = 1e12, .sms = 100};
  p.vector_flop_per_s[static_cast<std::size_t>(number_type::fp32)] = 10e12;
  p.matrix_flop_per_s[static_cast<std::size_t>(number_type::bf16)] = 100e12;
  return p;
}

op_model work(double flops, double bytes, number_type type, bool matrix) {
  return {.flops = flops, .bytes = bytes, .type = type, .matrix = matrix};
}

TEST(roofline, the_later_roof_is_the_limit) {
  const auto compute = place(work(1e9, 1e6, number_type::bf16, true), 20'000, round_peaks());
  ASSERT_TRUE(compute);
  EXPECT_EQ(compute->bound, roof_bound::compute);
  EXPECT_DOUBLE_EQ(compute->roof_s, 1e-5);
  EXPECT_DOUBLE_EQ(compute->share, 0.5);
  EXPECT_DOUBLE_EQ(compute->memory_share, 0.05);
  EXPECT_DOUBLE_EQ(compute->flop_per_s, 5e13);
  const auto memory = place(work(1e6, 1e7, number_type::fp32, false), 20'000, round_peaks());
  EXPECT_EQ(memory->bound, roof_bound::memory);
  EXPECT_DOUBLE_EQ(memory->share, 0.5);
}

TEST(roofline, matrix_work_without_a_matrix_peak_is_held_against_the_lanes) {
  EXPECT_EQ(round_peaks().flop_per_s(number_type::fp32, true), 10e12);
  EXPECT_EQ(round_peaks().flop_per_s(number_type::bf16, false), 0);
}

TEST(roofline, without_the_peaks_it_needs_nothing_is_said) {
  EXPECT_FALSE(place(work(1e9, 1e6, number_type::fp16, true), 1000, round_peaks()));
  EXPECT_FALSE(place(work(1e9, 1e6, number_type::bf16, true), 0, round_peaks()));
  EXPECT_FALSE(place(work(0, 1e6, number_type::bf16, false), 1000, {}));
}

TEST(roofline, more_than_the_roof_is_an_anomaly) {
  const auto m = work(0, 1e6, number_type::fp32, false);  // 1 us at the bandwidth
  EXPECT_FALSE(place(m, 960, round_peaks())->anomaly);
  EXPECT_TRUE(place(m, 940, round_peaks())->anomaly);
}

}  // namespace
}  // namespace ridge::trace
