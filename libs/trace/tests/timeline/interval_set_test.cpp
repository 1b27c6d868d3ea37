// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gmock/gmock.h>

#include <ridge/trace/interval_set.hpp>

namespace ridge::trace {
namespace {

using ::testing::ElementsAre;

// The truth for small times: a mark for each nanosecond covered.
std::vector<bool> marks(const interval_set& s) {
  std::vector<bool> at(100);
  for (const auto r : s.ranges()) std::fill(at.begin() + r.start_ns, at.begin() + r.end_ns, true);
  return at;
}

std::vector<time_range> random_ranges(std::mt19937& draw) {
  std::vector<time_range> ranges(draw() % 8);
  for (auto& r : ranges) {
    r.start_ns = static_cast<nanoseconds>(draw() % 90);
    r.end_ns = r.start_ns + static_cast<nanoseconds>(draw() % 10);
  }
  return ranges;
}

TEST(interval_set, merges_what_overlaps_or_touches_and_drops_what_is_empty) {
  const interval_set s({{5, 8}, {0, 2}, {2, 3}, {7, 9}, {4, 4}});
  EXPECT_THAT(s.ranges(), ElementsAre(time_range{0, 3}, time_range{5, 9}));
  EXPECT_EQ(s.length_ns(), 7);
  EXPECT_EQ(s.span(), (time_range{0, 9}));
  EXPECT_TRUE(s.covers(2));
  EXPECT_FALSE(s.covers(3));  // the end is not part of a range
}

TEST(interval_set, agrees_with_marking_every_nanosecond) {
  std::mt19937 draw(7);
  for (int round = 0; round < 2000; ++round) {
    const interval_set a(random_ranges(draw)), b(random_ranges(draw));
    const auto in_a = marks(a), in_b = marks(b);
    const auto both = marks(a.intersected_with(b)), either = marks(a.united_with(b)),
               only_a = marks(a.without(b));
    for (std::size_t t = 0; t < in_a.size(); ++t) {
      ASSERT_EQ(both[t], in_a[t] && in_b[t]);
      ASSERT_EQ(either[t], in_a[t] || in_b[t]);
      ASSERT_EQ(only_a[t], in_a[t] && !in_b[t]);
      ASSERT_EQ(a.covers(static_cast<nanoseconds>(t)), in_a[t]);
    }
    EXPECT_EQ(a.length_ns() + b.length_ns(),
              a.united_with(b).length_ns() + a.intersected_with(b).length_ns());
  }
}

}  // namespace
}  // namespace ridge::trace
