// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "packed_numbers.hpp"
#include "timeline_lane.hpp"

namespace ridge::trace_report {
namespace {

timeline_lane merged(const timeline_lane& lane, trace::nanoseconds below) {
  timeline_lane made;
  for_merged(lane, below, [&](const timeline_box& b) { made.push_back(b); });
  return made;
}

TEST(lane_stack, nested_events_stand_below_each_other_and_followers_beside) {
  lane_stack stack(2);
  EXPECT_TRUE(stack.put({0, 100, 0}));
  EXPECT_TRUE(stack.put({10, 40, 1}));
  EXPECT_FALSE(stack.put({20, 30, 2}));  // too deep
  EXPECT_TRUE(stack.put({40, 50, 3}));
  EXPECT_TRUE(stack.put({100, 110, 4}));
  const auto lanes = std::move(stack).take();
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_EQ(lanes[0].size(), 2u);
  EXPECT_EQ(lanes[1][1].event, 3u);
}

TEST(for_merged, joins_short_neighbours_and_names_the_longest) {
  const timeline_lane lane{{0, 3, 0}, {4, 9, 1}, {10, 12, 2}, {13, 40, 3}, {41, 43, 4}, {60, 62, 5}};
  const auto made = merged(lane, 10);
  ASSERT_EQ(made.size(), 4u);
  EXPECT_EQ(made[0].end, 12);
  EXPECT_EQ(made[0].events, 3u);
  EXPECT_EQ(made[0].event, 1u);
  EXPECT_EQ(made[1].event, 3u);  // long: stands alone
  EXPECT_EQ(made[3].start, 60);  // too far from the one before
  EXPECT_EQ(merged(lane, 0).size(), lane.size());
}

TEST(for_merged, keeps_every_event_and_the_order) {
  std::mt19937_64 random(5);
  timeline_lane lane;
  trace::nanoseconds now = 0;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const auto start = now + static_cast<trace::nanoseconds>(random() % 50);
    now = start + static_cast<trace::nanoseconds>(random() % 60);
    lane.push_back({start, now, i});
  }
  for (const trace::nanoseconds below : {0, 7, 40, 1000}) {
    std::uint64_t events = 0;
    trace::nanoseconds last = 0;
    for (const auto& box : merged(lane, below)) {
      events += box.events;
      EXPECT_GE(box.start, last);
      EXPECT_TRUE(box.events == 1 || box.end - box.start < 16 * below);
      last = box.end;
    }
    EXPECT_EQ(events, lane.size()) << below;
  }
  EXPECT_LT(merged(lane, 1000).size(), 50u);
}

TEST(packed_numbers, are_leb128_zigzag_and_base64) {
  std::string bytes;
  append_leb128(bytes, 127);
  append_leb128(bytes, 300);
  EXPECT_EQ(bytes, "\x7f\xac\x02");
  EXPECT_EQ(zigzag(0), 0u);
  EXPECT_EQ(zigzag(-1), 1u);
  EXPECT_EQ(zigzag(1), 2u);
  EXPECT_EQ(zigzag(std::int64_t{-1} << 63), ~std::uint64_t{0});
  EXPECT_EQ(base64("M"), "TQ==");  // RFC 4648, 10
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace ridge::trace_report
