// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/clock_events.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::gpu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(clock_events, say_each_bit_in_words) {
  EXPECT_THAT(clock_events{}.words(), IsEmpty());
  EXPECT_THAT(clock_events{0x24}.words(), ElementsAre("power cap", "thermal slowdown"));
  EXPECT_EQ(clock_events{0x1ff}.words().size(), 9u);
}

TEST(clock_events, a_bit_of_a_later_driver_is_shown_as_a_number_and_counts) {
  const clock_events later{0x8000'0000'0000'0200};
  EXPECT_THAT(later.words(), ElementsAre("unknown reason 0x200", "unknown reason 0x8000000000000000"));
  EXPECT_EQ(later.throttling().bits, later.bits);
}

TEST(clock_events, idleness_and_settings_do_not_throttle) {
  EXPECT_EQ(clock_events{0x103}.throttling().bits, 0u);
  EXPECT_THAT(clock_events{0x1ff}.throttling().words(),
              ElementsAre("power cap", "hardware slowdown", "sync boost", "thermal slowdown",
                          "hardware thermal slowdown", "power brake"));
  EXPECT_TRUE(clock_events{0x5}.idle());
  EXPECT_FALSE(clock_events{0x4}.idle());
}

}  // namespace
}  // namespace ridge::gpu
