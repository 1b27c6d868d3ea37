// SPDX-License-Identifier: Apache-2.0
#include "timeline/busy_time.hpp"

#include <gmock/gmock.h>

namespace ridge::trace {
namespace {

TEST(busy_time, tells_how_much_of_a_range_is_busy) {
  const busy_time b(interval_set({{10, 20}, {30, 50}}));
  EXPECT_EQ(b.within({0, 100}), 30);
  EXPECT_EQ(b.within({15, 35}), 10);
  EXPECT_EQ(b.within({20, 30}), 0);
  EXPECT_EQ(b.within({40, 12}), 0);
  EXPECT_EQ(busy_time().within({0, 9}), 0);
}

TEST(busy_time, tells_when_work_comes_again) {
  const busy_time b(interval_set({{10, 20}, {30, 50}}));
  EXPECT_EQ(b.idle_from(20), (time_range{20, 30}));
  EXPECT_EQ(b.idle_from(0), (time_range{0, 10}));
  EXPECT_EQ(b.idle_from(19), std::nullopt);
  EXPECT_EQ(b.idle_from(10), std::nullopt);
  EXPECT_EQ(b.idle_from(50), std::nullopt);
}

}  // namespace
}  // namespace ridge::trace
