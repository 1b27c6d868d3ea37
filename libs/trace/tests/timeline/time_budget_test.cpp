// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gmock/gmock.h>

#include <ridge/trace/time_budget.hpp>

namespace ridge::trace {
namespace {

claim wants(std::vector<time_range> ranges, nanoseconds at_most, std::uint32_t pool = 0) {
  return {.pool = pool, .ranges = interval_set(std::move(ranges)), .at_most_ns = at_most};
}

TEST(time_budget, gives_no_nanosecond_twice) {
  time_budget budget({{0, 100}});
  EXPECT_EQ(budget.take(wants({{10, 40}}, 30)), 30);
  EXPECT_EQ(budget.take(wants({{0, 100}}, 100)), 70);  // what the first left
  EXPECT_EQ(budget.take(wants({{0, 100}}, 100)), 0);
  EXPECT_EQ(budget.left(0), 0);
}

TEST(time_budget, gives_only_what_lies_in_the_window) {
  time_budget budget({{50, 100}});
  EXPECT_EQ(budget.take(wants({{0, 60}}, 60)), 10);
  EXPECT_EQ(budget.left(0), 40);
}

// One finding makes a kernel of 100 ns 80 ns shorter; another that would make it 70 ns shorter adds nothing,
// a third that would make it 90 ns shorter adds 10.
TEST(time_budget, counts_what_was_taken_from_the_same_place_as_saved) {
  time_budget budget({{0, 1000}});
  EXPECT_EQ(budget.take(wants({{0, 100}}, 80)), 80);
  EXPECT_EQ(budget.take(wants({{0, 100}}, 70)), 0);
  EXPECT_EQ(budget.take(wants({{0, 100}}, 90)), 10);
  EXPECT_EQ(budget.alone(wants({{0, 100}}, 70)), 70);
}

TEST(time_budget, keeps_devices_apart) {
  time_budget budget({{0, 100}, {0, 50}});
  EXPECT_EQ(budget.take(wants({{0, 100}}, 100, 0)), 100);
  EXPECT_EQ(budget.take(wants({{0, 100}}, 100, 1)), 50);
}

TEST(time_budget, never_grants_more_than_the_window_whatever_is_claimed) {
  std::mt19937 draw(11);
  for (int round = 0; round < 2000; ++round) {
    const auto length = static_cast<nanoseconds>(1 + draw() % 200);
    time_budget budget({{0, length}});
    nanoseconds granted = 0;
    for (int c = 0; c < 12; ++c) {
      std::vector<time_range> ranges(1 + draw() % 4);
      for (auto& r : ranges) {
        r.start_ns = static_cast<nanoseconds>(draw() % 220);
        r.end_ns = r.start_ns + static_cast<nanoseconds>(draw() % 60);
      }
      const auto one = wants(std::move(ranges), static_cast<nanoseconds>(draw() % 300));
      const auto got = budget.take(one);
      ASSERT_GE(got, 0);
      ASSERT_LE(got, budget.alone(one));
      granted += got;
      ASSERT_EQ(granted + budget.left(0), length);
    }
  }
}

TEST(time_budget, leaves_out_what_nobody_can_save_without_counting_it_as_saved) {
  time_budget budget({{0, 100}});
  const claim idle{.pool = 0, .ranges = interval_set({{0, 60}}), .at_most_ns = 20};
  EXPECT_EQ(budget.leave_out(idle), 20);
  EXPECT_EQ(budget.take({.pool = 0, .ranges = interval_set({{0, 60}}), .at_most_ns = 30}), 30);
  EXPECT_EQ(budget.left(0), 50);
}

}  // namespace
}  // namespace ridge::trace
