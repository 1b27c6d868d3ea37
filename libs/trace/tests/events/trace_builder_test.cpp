// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fixtures/scene.hpp>
#include <ridge/trace/trace_builder.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;

TEST(trace_builder, orders_events_by_track_and_parents_before_children) {
  const auto t = scene().op("child", 10, 5).op("parent", 10, 20).op("first", 0, 3).build();
  ASSERT_EQ(t.events.size(), 3u);
  EXPECT_EQ(t.name_of(0), "first");
  EXPECT_EQ(t.name_of(1), "parent");
  EXPECT_EQ(t.name_of(2), "child");
  EXPECT_EQ(t.tracks.at(0).count, 3u);
}

TEST(trace_builder, finds_the_launch_of_a_kernel_and_keeps_work_in_the_order_of_a_device) {
  const auto t = scene()
                     .kernel("late", 500, 10, 7, {.call_ns = 20, .call_length_ns = 5})
                     .kernel("early", 100, 10, 7, {.call_ns = 10, .call_length_ns = 5})
                     .build();
  ASSERT_EQ(t.works.size(), 2u);
  EXPECT_EQ(t.names[t.works[0].name], "early");
  EXPECT_EQ(t.events.start_ns[t.works[0].launch], 10);
  EXPECT_EQ(t.events.start_ns[t.works[1].launch], 20);
  EXPECT_EQ(t.events.detail[t.works[1].event], 1u);
}

TEST(trace_builder, joins_on_process_and_correlation_not_on_correlation_alone) {
  trace_builder to;
  const auto add_call = [&](std::int64_t process, nanoseconds start) {
    to.add({.start_ns = start,
            .duration_ns = 1,
            .track = to.track_of(track_kind::thread, to.process(process), 1),
            .correlation = 9,
            .kind = category::api});
  };
  const auto add_kernel = [&](std::int64_t process, nanoseconds start) {
    device_work w{.process = to.process(process)};
    to.add({.start_ns = start,
            .duration_ns = 1,
            .track = to.track_of(track_kind::stream, w.process, 7, 0),
            .correlation = 9,
            .kind = category::kernel},
           w);
  };
  add_call(2, 200);
  add_call(1, 100);
  add_kernel(1, 150);
  add_kernel(2, 250);
  const auto t = std::move(to).finish();
  EXPECT_EQ(t.events.start_ns[t.works[0].launch], 100);
  EXPECT_EQ(t.events.start_ns[t.works[1].launch], 200);
}

TEST(trace_builder, leaves_out_work_of_a_foreign_clock_and_says_so) {
  const auto t =
      scene().api("cudaLaunchKernel", 0, 10).kernel("far", 5'000'000'000, 10).kernel("near", 20, 10).build();
  ASSERT_EQ(t.works.size(), 1u);
  EXPECT_EQ(t.names[t.works[0].name], "near");
  EXPECT_EQ(t.quality.count(flaw::foreign_clock), 1u);
}

TEST(trace_builder, tells_overflowing_durations_from_programmatic_dependent_launches) {
  scene s;
  s.kernel("overflowing", 0, 1000, 1);
  for (int i = 1; i <= 8; ++i) s.kernel("short", i * 100, 50, 1);
  s.kernel("first", 0, 120, 2).kernel("dependent", 100, 100, 2);
  const auto t = s.build();
  EXPECT_EQ(t.quality.count(flaw::overflowing_duration), 1u);
  EXPECT_EQ(std::ranges::count(t.works, flag_overlaps_next, &device_work::flags), 1);
}

TEST(trace_builder, counts_kernels_that_begin_before_their_launch) {
  const auto t = scene().kernel("k", 5, 10, 7, {.call_ns = 6, .call_length_ns = 3}).build();
  EXPECT_EQ(t.quality.count(flaw::launched_after_start), 1u);
}

}  // namespace
}  // namespace ridge::trace
