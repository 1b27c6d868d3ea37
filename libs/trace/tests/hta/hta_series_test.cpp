// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/hta_series.hpp>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

using ::testing::ElementsAre;

std::vector<std::int64_t> lengths(const std::vector<hta_queue_point>& points) {
  std::vector<std::int64_t> out;
  for (const auto& p : points) out.push_back(p.length);
  return out;
}

trace queued_works() {
  fixtures::scene in;
  in.kernel("a", 10'000, 10'000, 7, {0, 1'000}).kernel("b", 20'000, 10'000, 7, {2'000, 1'000});
  in.kernel("c", 40'000, 5'000, 7, {10'000, 1'000}).kernel("d", 50'000, 5'000, 9, {45'000, 1'000});
  return in.build();
}

TEST(hta_series, counts_a_call_before_a_start_of_the_same_time) {
  const auto points = hta_queue_series(queued_works());
  EXPECT_THAT(lengths(points), ElementsAre(1, 2, 3, 2, 1, 0, 1, 0));  // c is called when a starts
  EXPECT_EQ(points[2].at_ns, 10'000);
  EXPECT_EQ(points[5].stream, 7);
  EXPECT_EQ(points[6].stream, 9);
}

TEST(hta_series, adds_up_the_time_of_full_queues_by_stream) {
  const auto t = queued_works();
  const auto two = hta_full_queues(t, 2);
  ASSERT_EQ(two.size(), 1U);
  EXPECT_EQ(two[0].stream, 7);
  EXPECT_EQ(two[0].full_ns, 18'000);  // from the call of b to its start
  EXPECT_DOUBLE_EQ(two[0].share, 18.0 / 50);
  EXPECT_TRUE(hta_full_queues(t, 4).empty());
  ASSERT_EQ(hta_full_queues(t, 1).size(), 2U);
  EXPECT_EQ(hta_full_queues(t, 1)[1].full_ns, 5'000);
}

TEST(hta_series, gives_a_copy_without_length_a_microsecond) {
  fixtures::scene in;
  in.copy(copy_kind::device_to_host, 1000, 10'000, 400, 7, {0, 1'000}, {.gb_per_s = 2});
  const auto points = hta_copy_series(in.build());
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].gb_per_s, 2);
  EXPECT_EQ(points[1].at_ns - points[0].at_ns, 1'000);
  EXPECT_EQ(points[1].gb_per_s, 0);
}

TEST(hta_series, spans_what_is_kept_but_begins_with_what_is_not) {
  fixtures::scene in;
  in.annotation("ProfilerStep#1", 5'000, 90'000).annotation("ProfilerStep#2", 100'000, 50'000);
  in.op("aten::mm", 2'000, 1'000).op("aten::mm", 120'000, 1'000);
  in.kernel("orphan", 1'000, 500);
  const auto span = hta_span_of(in.build());
  EXPECT_EQ(span.first_ns, 1'000);
  EXPECT_EQ(span.first_kept_ns, 2'000);
  EXPECT_EQ(span.last_kept_ns, 5'000);
}

TEST(hta_series, a_trace_without_events_has_none) {
  const auto t = fixtures::scene().build();
  EXPECT_TRUE(hta_queue_series(t).empty());
  EXPECT_TRUE(hta_copy_series(t).empty());
  EXPECT_TRUE(hta_full_queues(t).empty());
  EXPECT_EQ(hta_span_of(t).last_kept_ns, 0);
}

}  // namespace
}  // namespace ridge::trace
