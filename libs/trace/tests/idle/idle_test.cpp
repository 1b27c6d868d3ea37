// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/idle.hpp>

#include <gmock/gmock.h>

#include "fixtures/scene.hpp"
#include "timeline/activity_names.hpp"

namespace ridge::trace {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

auto is_piece(nanoseconds start, nanoseconds end, idle_cause cause) {
  return AllOf(Field("where", &idle_piece::range, time_range{start, end}),
               Field("cause", &idle_piece::cause, cause));
}

// A kernel until 11,000; the next from 41,000 on, its launch from 31,000 to 36,000.
void add_late_kernel(fixtures::scene& s) {
  s.kernel("first", 1000, 10'000, 7, {0, 500}).kernel("second", 41'000, 5000, 7, {31'000, 5000});
}

TEST(idle, splits_what_the_host_did_before_a_late_launch) {
  fixtures::scene s;
  add_late_kernel(s);
  s.api("cudaDeviceSynchronize", 5000, 8000).python("train.py(1): step", 13'000, 20'000);
  s.op("aten::zeros", 20'000, 6000).api("cudaMalloc", 21'000, 3000);
  const auto t = s.build();
  const auto r = idle_of(t, 0);
  EXPECT_EQ(r.idle_ns, 30'000);
  EXPECT_THAT(r.pieces, ElementsAre(is_piece(11'000, 13'000, idle_cause::synchronization),
                                    is_piece(13'000, 20'000, idle_cause::python),
                                    is_piece(20'000, 21'000, idle_cause::framework),
                                    is_piece(21'000, 24'000, idle_cause::allocation),
                                    is_piece(24'000, 26'000, idle_cause::framework),
                                    is_piece(26'000, 31'000, idle_cause::python),
                                    is_piece(31'000, 36'000, idle_cause::launch_api),
                                    is_piece(36'000, 41'000, idle_cause::launch_latency)));
  EXPECT_EQ(t.name_of(r.pieces[3].blamed), "cudaMalloc");
  EXPECT_EQ(t.name_of(r.pieces[6].blamed), "cudaLaunchKernel");
  EXPECT_EQ(r.of(idle_part::host_late).ns, 20'000);
  EXPECT_EQ(r.of(idle_part::host_late).count, 1U);
  EXPECT_EQ(r.of(idle_part::launch_api).ns, 5000);
  EXPECT_EQ(r.of(idle_part::latency).ns, 5000);
  EXPECT_EQ(r.of(idle_cause::python).ns, 12'000);
  EXPECT_EQ(r.of(idle_cause::python).count, 2U);
}

TEST(idle, asks_the_thread_that_launched) {
  fixtures::scene s;
  s.kernel("first", 0, 10'000, 7, {0, 500}).kernel("second", 30'000, 5000, 7, {20'000, 5000});
  s.op("aten::other_thread", 0, 40'000, {}, 2);
  EXPECT_EQ(idle_of(s.build(), 0).of(idle_cause::unknown).ns, 10'000);
}

TEST(idle, blames_the_event_that_was_open_longest) {
  fixtures::scene s;
  add_late_kernel(s);
  s.op("aten::short", 11'000, 4000).op("aten::long", 15'000, 12'000).op("aten::last", 27'000, 4000);
  const auto t = s.build();
  const auto r = idle_of(t, 0);
  EXPECT_EQ(r.pieces.front().range, (time_range{11'000, 31'000}));
  EXPECT_EQ(t.name_of(r.pieces.front().blamed), "aten::long");
}

TEST(idle, calls_the_loader_by_its_name_whatever_runs_in_it) {
  fixtures::scene s;
  add_late_kernel(s);
  s.op("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 11'000, 20'000)
      .op("aten::stack", 12'000, 5000);
  s.python("threading.py(359): wait", 18'000, 4000);
  EXPECT_EQ(idle_of(s.build(), 0).of(idle_cause::data_loading).ns, 20'000);
}

// ls < a: the work waited in its queue.
TEST(idle, tells_queued_work_from_late_work) {
  fixtures::scene s;
  s.kernel("first", 10'000, 10'000, 7, {0, 500}).kernel("second", 25'000, 1000, 7, {15'000, 7000});
  const auto r = idle_of(s.build(), 0);
  EXPECT_THAT(r.pieces, ElementsAre(is_piece(20'000, 22'000, idle_cause::launch_api),
                                    is_piece(22'000, 25'000, idle_cause::pipeline)));
  EXPECT_EQ(r.of(idle_part::queued).count, 1U);
  EXPECT_EQ(r.of(idle_part::queued).ns, 3000);
}

trace two_streams_and_a_wait(nanoseconds wait_ns) {
  fixtures::scene s;
  s.kernel("earlier", 0, 10'000, 8, {0, 500}).kernel("waiting", 20'000, 1000, 8, {5000, 500});
  auto& b = s.builder();
  const sync_detail wait{.kind = sync_kind::stream_wait_event, .device = 0, .stream = 8};
  b.add({.start_ns = wait_ns,
         .duration_ns = 10,
         .name = b.intern("Stream Wait Event"),
         .track = b.track_of(track_kind::stream, b.process(1), 8, 0),
         .kind = category::synchronization},
        wait);
  return s.build();
}

TEST(idle, tells_a_wait_for_an_event_by_its_record) {
  const auto t = two_streams_and_a_wait(3000);
  const auto r = idle_of(t, 0);
  EXPECT_THAT(r.pieces, ElementsAre(is_piece(10'000, 20'000, idle_cause::event_wait)));
  EXPECT_EQ(t.name_of(r.pieces.front().blamed), "Stream Wait Event");
  // Recorded after the launch: it holds later work.
  EXPECT_THAT(idle_of(two_streams_and_a_wait(7000), 0).pieces,
              ElementsAre(is_piece(10'000, 20'000, idle_cause::pipeline)));
}

// Works of one launch: the scene gives each its own, so here they come by hand.
trace graph_of_three() {
  fixtures::scene s;
  auto& b = s.builder();
  const auto process = b.process(1);
  b.add({.start_ns = 0,
         .duration_ns = 1000,
         .name = b.intern("cudaGraphLaunch"),
         .track = b.track_of(track_kind::thread, process, 1),
         .correlation = 9,
         .kind = category::api});
  for (const nanoseconds start : {2000, 8000, 10'500}) {
    b.add({.start_ns = start,
           .duration_ns = 1000,
           .name = b.intern("node"),
           .track = b.track_of(track_kind::stream, process, 7, 0),
           .correlation = 9,
           .kind = category::kernel},
          {.stream = 7, .process = process});
  }
  return s.build();
}

TEST(idle, knows_gaps_within_a_graph) {
  const auto r = idle_of(graph_of_three(), 0);
  EXPECT_THAT(r.pieces, ElementsAre(is_piece(3000, 8000, idle_cause::graph_internal),
                                    is_piece(9000, 10'500, idle_cause::graph_micro)));
  EXPECT_EQ(r.of(idle_part::queued).ns, 5000);
  EXPECT_EQ(r.of(idle_part::micro).ns, 1500);
}

TEST(idle, calls_short_gaps_micro_and_others_without_launch_by_name) {
  fixtures::scene s;
  s.kernel("a", 0, 1000).kernel("b", 2999, 1).kernel("c", 5000, 1000);
  const auto r = idle_of(s.build(), 0);
  EXPECT_THAT(r.pieces, ElementsAre(is_piece(1000, 2999, idle_cause::micro),
                                    is_piece(3000, 5000, idle_cause::no_launch)));
}

TEST(idle, keeps_calls_within_the_gap_where_clocks_disagree) {
  fixtures::scene s;
  s.kernel("first", 0, 1000, 7, {0, 10}).kernel("second", 11'000, 1000, 7, {12'000, 500});
  s.kernel("third", 22'000, 1000, 7, {20'000, 9000});
  EXPECT_THAT(idle_of(s.build(), 0).pieces, ElementsAre(is_piece(1000, 11'000, idle_cause::unknown),
                                                        is_piece(12'000, 12'500, idle_cause::other_api),
                                                        is_piece(12'500, 20'000, idle_cause::unknown),
                                                        is_piece(20'000, 22'000, idle_cause::launch_api)));
}

TEST(idle, judges_gaps_whole_and_then_cuts_them_to_the_window) {
  fixtures::scene s;
  add_late_kernel(s);
  const auto t = s.build();
  const auto r = idle_of(t, 0, time_range{33'000, 60'000});
  EXPECT_THAT(r.pieces, ElementsAre(is_piece(33'000, 36'000, idle_cause::launch_api),
                                    is_piece(36'000, 41'000, idle_cause::launch_latency),
                                    is_piece(46'000, 60'000, idle_cause::unknown)));
  EXPECT_EQ(r.gaps.back().next, none);
  EXPECT_EQ(r.idle_ns, 22'000);
}

TEST(idle, of_a_device_without_work_is_the_window) {
  fixtures::scene s;
  add_late_kernel(s);
  const auto t = s.build();
  EXPECT_EQ(idle_of(t, 3, time_range{0, 100}).idle_ns, 100);
  EXPECT_THAT(idle_of(t, 3).gaps, IsEmpty());
}

TEST(idle, ranks_the_longest_gaps) {
  fixtures::scene s;
  s.kernel("a", 0, 10).kernel("b", 3010, 10).kernel("c", 9020, 10).kernel("d", 12'030, 10);
  const auto r = idle_of(s.build(), 0, {}, {.largest = 2});
  EXPECT_THAT(r.largest, ElementsAre(1U, 0U));  // of equals the earlier
}

TEST(idle, knows_what_names_tell) {
  EXPECT_EQ(cause_told_by(category::api, "cuModuleLoadDataEx"), idle_cause::code_loading);
  EXPECT_EQ(cause_told_by(category::api, "hipGraphInstantiate"), idle_cause::code_loading);
  EXPECT_EQ(cause_told_by(category::api, "hipMemcpyWithStream"), idle_cause::copy_call);
  EXPECT_EQ(cause_told_by(category::api, "cudaHostAlloc"), idle_cause::allocation);
  EXPECT_EQ(cause_told_by(category::api, "cudaMemGetInfo"), idle_cause::other_api);
  EXPECT_EQ(cause_told_by(category::overhead, "Lazy Function Loading"), idle_cause::code_loading);
  EXPECT_EQ(cause_told_by(category::overhead, "Activity Buffer Request"), idle_cause::profiler);
  EXPECT_EQ(cause_told_by(category::python, "threading.py(1002): run"), idle_cause::python);
  EXPECT_EQ(cause_told_by(category::python, "threading.py(359): wait"), idle_cause::lock);
  EXPECT_EQ(cause_told_by(category::python, "torch/utils/data/dataloader.py(630): __next__"),
            idle_cause::data_loading);
  EXPECT_EQ(cause_told_by(category::python, "<built-in function collect>"), idle_cause::garbage_collection);
  EXPECT_EQ(cause_told_by(category::os_call, "pthread_cond_wait"), idle_cause::lock);
  EXPECT_EQ(cause_told_by(category::os_call, "poll"), idle_cause::off_cpu);
  EXPECT_EQ(cause_told_by(category::op, "ProfilerStep#3"), idle_cause::unknown);
  EXPECT_EQ(cause_told_by(category::annotation, "## load_batch ##"), idle_cause::data_loading);
  EXPECT_EQ(cause_told_by(category::annotation, "ProfilerStep#3"), idle_cause::unknown);
  EXPECT_EQ(cause_told_by(category::kernel, "gemm"), std::nullopt);
}

TEST(idle, names_causes_and_their_parts) {
  EXPECT_EQ(name(idle_cause::profiler), "profiler");
  EXPECT_EQ(name(idle_cause::no_launch), "no_launch");
  EXPECT_EQ(name(part_of(idle_cause::unknown)), "host_late");
  EXPECT_EQ(name(part_of(idle_cause::launch_api)), "launch_api");
  EXPECT_EQ(name(part_of(idle_cause::launch_latency)), "latency");
  EXPECT_EQ(name(part_of(idle_cause::pipeline)), "queued");
  EXPECT_EQ(name(part_of(idle_cause::graph_micro)), "micro");
  EXPECT_EQ(name(part_of(idle_cause::no_launch)), "no_launch");
}

TEST(idle, blames_the_deepest_frame_that_holds_most_of_a_gap) {
  fixtures::scene s;
  s.kernel("k", 10'000, 10'000, 7, {.call_ns = 1'000, .call_length_ns = 2'000});
  s.python("train.py(3): main", 0, 2'000'000);
  s.python("train.py(9): decode", 30'000, 900'000);
  for (int i = 0; i < 8; ++i) s.python("train.py(12): pixel", 30'000 + i * 100'000, 90'000);
  s.kernel("k", 1'000'000, 10'000, 7, {.call_ns = 990'000, .call_length_ns = 2'000});
  const auto t = s.build();
  const auto report = idle_of(t, 0);
  const auto longest =
      std::ranges::max_element(report.pieces, {}, [](const auto& p) { return p.range.length_ns(); });
  ASSERT_NE(longest, report.pieces.end());
  EXPECT_EQ(longest->cause, idle_cause::python);
  EXPECT_EQ(t.name_of(longest->blamed), "train.py(9): decode");
}

}  // namespace
}  // namespace ridge::trace
