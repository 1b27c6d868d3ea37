// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/launches.hpp>

#include <numeric>
#include <random>

#include <gmock/gmock.h>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

using ::testing::SizeIs;

TEST(launches, summarizes_by_rank) {
  std::vector<nanoseconds> hundred(100);
  std::iota(hundred.begin(), hundred.end(), 1);
  const auto s = summary_of(hundred);
  EXPECT_EQ(s.count, 100U);
  EXPECT_EQ(s.sum_ns, 5050);
  EXPECT_EQ(s.p50_ns, 51);  // of an even count the upper middle
  EXPECT_EQ(s.p95_ns, 96);
  EXPECT_EQ(s.p99_ns, 100);
  EXPECT_EQ(summary_of({4, 9, 1}).p50_ns, 4);
  EXPECT_EQ(summary_of({}).count, 0U);
}

TEST(launches, joins_work_to_calls_and_clamps_delays) {
  fixtures::scene s;
  s.kernel("late", 1000, 30, 7, {100, 50});         // 850 after the call's end, shorter than its call
  s.kernel("inside", 2010, 20'000, 7, {2000, 40});  // starts in its call
  s.kernel("before", 30'000, 10'000, 7, {30'100, 10});
  s.kernel("alone", 50'000, 5);
  const auto r = launches_of(s.build());
  EXPECT_EQ(r.correlated, 3U);
  EXPECT_EQ(r.uncorrelated, 1U);
  EXPECT_EQ(r.shorter_than_call, 1U);
  EXPECT_EQ(r.short_works, 1U);  // 10,000 ns is not below
  EXPECT_EQ(r.short_of_all, 2U);
  EXPECT_EQ(r.before_launch, 1U);
  EXPECT_EQ(r.delay_after_end.max_ns, 850);
  EXPECT_EQ(r.delay_after_end.sum_ns, 850);
  EXPECT_EQ(r.delay_after_start.sum_ns, 900 + 10);
  EXPECT_EQ(r.call.sum_ns, 100);
  EXPECT_EQ(r.launch_calls, 3U);
  EXPECT_EQ(r.call_ns, 40 + 10);  // the first call stands before the window
  EXPECT_EQ(r.window, (time_range{1000, 50'005}));
  EXPECT_DOUBLE_EQ(r.launch_bound_ratio(), 50.0 / 49'005);
}

// Called at 0, 10, 20, started at 100, 200, 300; another stream beside it.
TEST(launches, tells_how_long_a_stream_s_queue_was) {
  fixtures::scene s;
  s.kernel("a", 100, 100, 7, {0, 5}).kernel("b", 200, 100, 7, {10, 5}).kernel("c", 300, 100, 7, {20, 5});
  s.kernel("d", 40, 5, 9, {30, 5});
  const auto r = launches_of(s.build(), {}, {}, {.queue_limit = 2});
  ASSERT_THAT(r.queues, SizeIs(2));
  const auto& q = r.queues.front();
  EXPECT_EQ(q.stream, 7);
  EXPECT_EQ(q.works, 3U);
  EXPECT_EQ(q.longest, 3);
  EXPECT_EQ(q.longest_at_ns, 20);
  EXPECT_EQ(q.span_ns, 300);
  EXPECT_EQ(q.waiting_item_ns, 100 + 190 + 280);
  EXPECT_DOUBLE_EQ(q.mean_length(), 1.9);
  EXPECT_EQ(q.at_limit_ns, 190);      // two or more wait from 10 to 200
  EXPECT_EQ(r.longest_in_flight, 4);  // at 40: none has ended
  EXPECT_EQ(r.queues.back().longest, 1);
}

void add_graph(fixtures::scene& s, nanoseconds call, std::uint32_t correlation, int nodes) {
  auto& b = s.builder();
  const auto process = b.process(1);
  b.add({.start_ns = call,
         .duration_ns = 10,
         .name = b.intern("cudaGraphLaunch"),
         .track = b.track_of(track_kind::thread, process, 1),
         .correlation = correlation,
         .kind = category::api});
  for (int i = 0; i < nodes; ++i) {
    b.add({.start_ns = call + 100 + 20 * i,
           .duration_ns = 10,
           .name = b.intern("node"),
           .track = b.track_of(track_kind::stream, process, 7, 0),
           .correlation = correlation,
           .kind = category::kernel},
          {.stream = 7, .process = process});
  }
}

TEST(launches, finds_graphs_and_those_without_their_kernels) {
  fixtures::scene s;
  add_graph(s, 0, 1000, 4);
  add_graph(s, 1000, 1001, 3);
  add_graph(s, 1050, 1002, 0);
  s.kernel("eager", 2000, 30, 7, {1900, 10});
  const auto r = launches_of(s.build());
  ASSERT_THAT(r.graphs, SizeIs(2));
  EXPECT_EQ(r.graphs[0].works, 4U);
  EXPECT_EQ(r.graphs[0].device, (time_range{100, 170}));
  EXPECT_EQ(r.graphs[1].works, 3U);
  EXPECT_EQ(r.graph_works, 7U);
  EXPECT_DOUBLE_EQ(r.graph_coverage(), 0.7);
  EXPECT_EQ(r.opaque_graphs, 1U);
  EXPECT_EQ(r.launch_calls, 3U);
  EXPECT_EQ(r.queues.front().longest, 1);  // a graph is one entry
}

void launch_from(fixtures::scene& s, std::int64_t thread, category kind, nanoseconds call,
                 nanoseconds length) {
  auto& b = s.builder();
  const auto correlation = static_cast<std::uint32_t>(5000 + call);
  b.add({.start_ns = call,
         .duration_ns = length,
         .name = b.intern("launch"),
         .track = b.track_of(track_kind::thread, b.process(1), thread),
         .correlation = correlation,
         .kind = category::api});
  b.add({.start_ns = call + 500,
         .duration_ns = 10,
         .name = b.intern("work"),
         .track = b.track_of(track_kind::stream, b.process(1), 7, 0),
         .correlation = correlation,
         .kind = kind},
        {.stream = 7, .process = b.process(1)});
}

TEST(launches, tells_the_calls_of_the_busiest_thread_apart_from_those_of_all) {
  fixtures::scene s;
  s.kernel("first", 0, 1);  // opens the window before all calls
  for (int i = 0; i < 3; ++i) launch_from(s, 1, category::kernel, 100 + 100 * i, 40);
  launch_from(s, 1, category::copy, 450, 90);
  launch_from(s, 2, category::kernel, 1000, 60);
  for (int i = 0; i < 2; ++i) launch_from(s, 2, category::copy, 1100 + 500 * i, 400);  // these wait
  const auto t = s.build();
  const auto r = launches_of(t);
  ASSERT_NE(r.busiest_thread, none);
  EXPECT_EQ(t.tracks[r.busiest_thread].thread, 1);
  EXPECT_EQ(r.call_ns, 3 * 40);
  EXPECT_EQ(r.thread_calls, 4U);
  EXPECT_EQ(r.thread_call_ns, 3 * 40 + 90);
  EXPECT_EQ(r.launch_calls, 7U);
}

TEST(launches, have_no_busiest_thread_where_only_copies_were_launched) {
  fixtures::scene s;
  launch_from(s, 1, category::copy, 100, 40);
  const auto r = launches_of(s.build());
  EXPECT_EQ(r.busiest_thread, none);
  EXPECT_EQ(r.thread_calls, 0U);
}

// The profiler began after the graph was captured: its first replays are recorded without their kernels.
TEST(launches, count_graphs_before_the_first_recorded_work_as_opaque) {
  fixtures::scene s;
  add_graph(s, 0, 1000, 0);
  add_graph(s, 1000, 1001, 0);
  add_graph(s, 2000, 1002, 3);
  const auto t = s.build();
  EXPECT_EQ(launches_of(t).opaque_graphs, 2U);
  EXPECT_EQ(launches_of(t, {}, time_range{900, 3000}).opaque_graphs, 1U) << "of the window";
}

TEST(launches, counts_work_that_starts_in_the_window) {
  fixtures::scene s;
  s.kernel("a", 100, 100, 7, {0, 5}).kernel("b", 200, 100, 7, {10, 5});
  s.copy(copy_kind::host_to_device, 8, 250, 10, 8, {20, 5});
  const auto t = s.build();
  EXPECT_EQ(launches_of(t, {}, time_range{100, 200}).correlated, 1U);
  EXPECT_EQ(launches_of(t, 1).correlated, 0U);
  EXPECT_EQ(launches_of(t, {}, {}, {.kernels_only = true}).correlated, 2U);
}

TEST(launches, of_random_queues_wait_as_long_as_their_lengths_last) {
  std::mt19937 draw(3);
  for (int round = 0; round < 200; ++round) {
    fixtures::scene s;
    for (auto n = 1 + draw() % 20; n > 0; --n) {
      const auto call = static_cast<nanoseconds>(draw() % 100),
                 start = static_cast<nanoseconds>(draw() % 150);
      s.kernel("k", start, 3, 7, {call, 1 + static_cast<nanoseconds>(draw() % 9)});
    }
    const auto t = s.build();
    const auto q = launches_of(t, {}, {}, {.queue_limit = 3}).queues.front();
    std::int64_t longest = 0, items = 0, at_limit = 0;
    for (nanoseconds now = 0; now < 150; ++now) {
      const auto waiting = std::ranges::count_if(t.works, [&](const device_work& w) {
        return t.events.start_ns[w.launch] <= now && now < w.start_ns;
      });
      longest = std::max<std::int64_t>(longest, waiting);
      items += waiting;
      at_limit += waiting >= 3 ? 1 : 0;
    }
    ASSERT_EQ(q.longest, longest);
    ASSERT_EQ(q.waiting_item_ns, items);
    ASSERT_EQ(q.at_limit_ns, at_limit);
  }
}

}  // namespace
}  // namespace ridge::trace
