// SPDX-License-Identifier: Apache-2.0
#include "conditions/state_watch.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::backends::probe_cuda {
namespace {

using held_by = std::vector<std::string>;

// Readings of a driver that reports the previous row's state in the first half of the watch.
std::vector<seen_state> late_by_half(double seconds) {
  std::vector<seen_state> seen;
  for (int i = 0; i < 100; ++i) {
    const bool before = i < 50;
    seen.push_back({i * seconds / 100,
                    {.sm_clock_mhz = before ? 1200 : 1755,
                     .power_w = before ? 120 : 690,
                     .throttled_by = before ? held_by{"power cap"} : held_by{}}});
  }
  return seen;
}

TEST(put_state, tells_the_later_half_alone) {
  model::ceiling row;
  put_state(row, late_by_half(0.5), 0.5);
  EXPECT_DOUBLE_EQ(row.power_w, 690);
  EXPECT_DOUBLE_EQ(row.clock_hz, 1.755e9);
  EXPECT_EQ(row.note, "");
}

TEST(put_state, tells_nothing_of_a_watch_that_was_too_short) {
  model::ceiling row;
  put_state(row, late_by_half(0.2), 0.2);
  EXPECT_EQ(row.power_w, 0);
  EXPECT_EQ(row.clock_hz, 0);
  EXPECT_EQ(row.note, "");
}

TEST(put_state, keeps_a_clock_that_kernels_told_and_says_what_held_it_down) {
  auto seen = late_by_half(0.5);
  for (auto& one : seen) one.state.throttled_by = held_by{"power cap"};
  model::ceiling row{.clock_hz = 1.5e9};
  put_state(row, seen, 0.5);
  EXPECT_DOUBLE_EQ(row.clock_hz, 1.5e9);
  EXPECT_EQ(row.note, "power cap in 100 % of readings");
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
