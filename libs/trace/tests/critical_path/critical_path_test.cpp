// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/critical_path.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fixtures/scene.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;
using pc = path_class;

path_graph graph_of(const trace& t, const path_options& options = {}) {
  return {t, classes_of(t, communication_names::built_in()), options};
}

// "op 0..10; launch_delay 10..14 ..."
std::string text_of(const critical_path& path) {
  std::string text;
  for (const auto& s : path.segments) {
    if (!text.empty()) text += "; ";
    text += std::string(name(s.is)) + " " + std::to_string(s.range.start_ns) + ".." +
            std::to_string(s.range.end_ns);
  }
  return text;
}

TEST(critical_path, goes_from_host_work_over_the_launch_to_the_kernel) {
  const auto t =
      scene().op("aten::mm", 0, 30).kernel("gemm", 25, 40, 7, {.call_ns = 10, .call_length_ns = 5}).build();
  const auto path = graph_of(t).path();
  EXPECT_EQ(text_of(path), "op 0..10; api_call 10..15; launch_delay 15..25; compute 25..65");
  EXPECT_EQ(path.segments[0].because, path_edge::window_start);
  EXPECT_EQ(t.name_of(path.segments[0].event), "aten::mm");
  EXPECT_EQ(path.segments[2].because, path_edge::launch);
  EXPECT_EQ(path.segments[3].work, 0u);
  EXPECT_EQ(bound_of(path).first, path_bound::compute);
}

TEST(critical_path, tells_a_stream_that_was_busy_from_one_that_was_empty) {
  const auto t = scene()
                     .kernel("first", 20, 50, 7, {.call_ns = 0, .call_length_ns = 10})
                     .kernel("second", 73, 10, 7, {.call_ns = 10, .call_length_ns = 10})
                     .build();
  EXPECT_EQ(text_of(graph_of(t).path()),
            "api_call 0..10; launch_delay 10..20; compute 20..70; stream_gap 70..73; compute 73..83");
}

TEST(critical_path, follows_the_device_through_a_blocking_call) {
  const auto t = scene()
                     .kernel("k", 20, 70, 7, {.call_ns = 0, .call_length_ns = 10})
                     .api("cudaDeviceSynchronize", 10, 85)
                     .op("after", 95, 5)
                     .build();
  const auto path = graph_of(t).path();
  EXPECT_EQ(text_of(path),
            "api_call 0..10; launch_delay 10..20; compute 20..90; synchronization 90..95; op 95..100");
  EXPECT_EQ(path.segments[3].because, path_edge::device_to_host);
  EXPECT_EQ(t.name_of(path.segments[3].event), "cudaDeviceSynchronize");
}

TEST(critical_path, waits_for_a_blocking_copy_alone) {
  const auto t = scene()
                     .kernel("long", 5, 15, 9, {.call_ns = 0, .call_length_ns = 5})
                     .copy(copy_kind::device_to_host, 4, 22, 8, 7,
                           {.call_ns = 10, .call_length_ns = 25, .call = "cudaMemcpy"})
                     .build();
  EXPECT_EQ(text_of(graph_of(t).path()),
            "api_call 0..5; host_idle 5..10; api_call 10..22; copy 22..30; api_call 30..35");
}

TEST(critical_path, follows_the_stream_that_a_pageable_copy_stood_behind) {
  const auto t = scene()
                     .kernel("long", 10, 80, 7, {.call_ns = 0, .call_length_ns = 5})
                     .copy(copy_kind::device_to_host, 4, 92, 8, 7,
                           {.call_ns = 5, .call_length_ns = 100, .call = "cudaMemcpyAsync"},
                           {.source = memory_kind::device, .destination = memory_kind::pageable})
                     .build();
  EXPECT_EQ(text_of(graph_of(t).path()),
            "api_call 0..5; launch_delay 5..10; compute 10..90; stream_gap 90..92; copy 92..100; api_call "
            "100..105");
}

TEST(critical_path, keeps_an_asynchronous_copy_off_the_host) {
  const auto t = scene()
                     .copy(copy_kind::host_to_device, 4, 4, 4, 7,
                           {.call_ns = 0, .call_length_ns = 10, .call = "cudaMemcpyAsync"})
                     .op("host", 10, 10)
                     .build();
  EXPECT_EQ(text_of(graph_of(t).path()), "api_call 0..4; api_call 4..10; op 10..20");
}

TEST(critical_path, cuts_a_launch_call_that_outlives_its_kernels_start) {
  const auto t = scene().kernel("k", 4, 20, 7, {.call_ns = 0, .call_length_ns = 10}).build();
  EXPECT_EQ(text_of(graph_of(t).path()), "api_call 0..4; compute 4..24");
}

TEST(critical_path, takes_many_kernels_from_one_graph_launch) {
  scene s;
  s.kernel("a", 20, 10, 7, {.call_ns = 0, .call_length_ns = 12, .call = "cudaGraphLaunch"});
  const auto process = s.builder().process(1);
  for (const auto& [label, start] : {std::pair{"b", 32}, std::pair{"c", 44}}) {
    s.builder().add({.start_ns = start,
                     .duration_ns = 10,
                     .name = s.name(label),
                     .track = s.builder().track_of(track_kind::stream, process, 7, 0),
                     .correlation = 1,
                     .kind = category::kernel},
                    device_work{.device = 0, .stream = 7, .process = process, .graph = 3});
  }
  EXPECT_EQ(text_of(graph_of(s.build()).path()),
            "api_call 0..12; launch_delay 12..20; compute 20..30; stream_gap 30..32; compute 32..42; "
            "stream_gap 42..44; compute 44..54");
}

trace with_stream_wait(bool recorded) {
  scene s;
  s.kernel("producer", 10, 80'000, 7, {.call_ns = 0, .call_length_ns = 5});
  s.kernel("consumer", 80'013, 20, 9, {.call_ns = 20, .call_length_ns = 5});
  if (!recorded) return s.build();
  const auto process = s.builder().process(1);
  const auto thread = s.builder().track_of(track_kind::thread, process, 1);
  const auto call = [&](std::string_view label, nanoseconds start, std::uint32_t correlation) {
    s.builder().add({.start_ns = start,
                     .duration_ns = 1,
                     .name = s.name(label),
                     .track = thread,
                     .correlation = correlation,
                     .kind = category::api});
  };
  call("cudaEventRecord", 10, 100);
  call("cudaStreamWaitEvent", 15, 101);
  s.builder().add({.start_ns = 15,
                   .name = s.name("Stream Wait Event"),
                   .track = s.builder().track_of(track_kind::other, process, 9),
                   .correlation = 101,
                   .kind = category::synchronization},
                  sync_detail{.kind = sync_kind::stream_wait_event,
                              .device = 0,
                              .stream = 9,
                              .wait_on_stream = 7,
                              .wait_on_correlation = 100});
  return s.build();
}

TEST(critical_path, crosses_streams_where_a_record_says_so) {
  const auto t = with_stream_wait(true);
  const auto path = graph_of(t, {.infer_stream_waits = false}).path();
  EXPECT_EQ(text_of(path),
            "api_call 0..5; launch_delay 5..10; compute 10..80010; stream_wait 80010..80013; "
            "compute 80013..80033");
  EXPECT_EQ(path.segments.back().because, path_edge::stream_wait);
}

TEST(critical_path, infers_a_wait_across_streams_only_when_asked) {
  const auto t = with_stream_wait(false);
  EXPECT_EQ(graph_of(t).path().segments.back().because, path_edge::inferred_wait);
  const auto plain = graph_of(t, {.infer_stream_waits = false}).path();
  EXPECT_EQ(plain.total(pc::launch_delay), 80'013 - 25);
}

// The main thread hands backward to thread 2 from 100 us to 300 us.
trace with_backward_thread() {
  scene s;
  s.op("forward", 0, 50'000).python("backward", 90'000, 220'000);
  s.op("evaluate", 100'000, 200'000, {}, 2);
  s.op("optimizer", 310'000, 40'000);
  s.kernel("k", 60'000, 1'000, 7, {.call_ns = 40'000, .call_length_ns = 5'000});
  const auto process = s.builder().process(1);
  s.builder().add({.start_ns = 150'000,
                   .duration_ns = 5'000,
                   .name = s.name("cudaLaunchKernel"),
                   .track = s.builder().track_of(track_kind::thread, process, 2),
                   .correlation = 50,
                   .kind = category::api});
  s.builder().add({.start_ns = 160'000,
                   .duration_ns = 1'000,
                   .name = s.name("g"),
                   .track = s.builder().track_of(track_kind::stream, process, 7, 0),
                   .correlation = 50,
                   .kind = category::kernel},
                  device_work{.device = 0, .stream = 7, .process = process});
  return s.build();
}

TEST(critical_path, goes_through_the_thread_that_works_while_another_stands_still) {
  const auto t = with_backward_thread();
  const auto path = graph_of(t).path();
  EXPECT_EQ(text_of(path),
            "op 0..40000; api_call 40000..45000; op 45000..50000; host_idle 50000..90000; "
            "python 90000..100000; op 100000..150000; api_call 150000..155000; op 155000..300000; "
            "python 300000..310000; op 310000..350000");
  EXPECT_EQ(t.name_of(path.segments[5].event), "evaluate");
  EXPECT_EQ(path.segments[5].because, path_edge::thread_start);
  EXPECT_EQ(path.segments[8].because, path_edge::thread_end);
  const path_change free_ops{.piece_class = pc::op};
  EXPECT_EQ(graph_of(t).what_if({&free_ops, 1}).gain_ns, 45'000 + 195'000 + 40'000);
}

TEST(critical_path, names_data_loading_whatever_runs_below_it) {
  const auto t = scene()
                     .annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 100)
                     .op("aten::stack", 10, 20)
                     .kernel("k", 110, 10, 7, {.call_ns = 100, .call_length_ns = 5})
                     .build();
  const auto path = graph_of(t).path();
  EXPECT_EQ(path.total(pc::data_loading), 100);
  EXPECT_EQ(bound_of(path).first, path_bound::data_loading);
}

TEST(critical_path, clips_to_a_window_and_prefers_the_device_at_its_end) {
  const auto t = scene()
                     .op("host", 0, 100)
                     .kernel("k", 30, 200, 7, {.call_ns = 10, .call_length_ns = 10})
                     .op("next", 100, 300)
                     .build();
  const auto path = graph_of(t, {.window = time_range{5, 150}}).path();
  EXPECT_EQ(text_of(path), "op 5..10; api_call 10..20; launch_delay 20..30; compute 30..150");
}

TEST(critical_path, tells_slack_of_work_and_calls) {
  // Stream 9 is done at 40, stream 7 at 100, and the host waits for both.
  const auto t = scene()
                     .kernel("short", 20, 20, 9, {.call_ns = 0, .call_length_ns = 5})
                     .kernel("long", 20, 80, 7, {.call_ns = 5, .call_length_ns = 5})
                     .api("cudaDeviceSynchronize", 10, 95)
                     .build();
  const auto slack = graph_of(t).slack();
  EXPECT_EQ(slack.works[0], 65);  // not waited for: free until the end, 105
  EXPECT_EQ(slack.works[1], 0);
  ASSERT_EQ(slack.calls.size(), 3u);
  EXPECT_EQ(slack.calls[0].slack_ns, 0);  // the second launch stands behind it
  EXPECT_EQ(slack.calls[1].slack_ns, 0);
  EXPECT_EQ(slack.calls[2].slack_ns, 0);
}

TEST(critical_path, replays_what_if_some_of_it_were_faster) {
  const auto t = scene()
                     .kernel("gemm", 20, 50, 7, {.call_ns = 0, .call_length_ns = 10})
                     .kernel("nccl_reduce", 70, 20, 7, {.call_ns = 10, .call_length_ns = 10})
                     .api("cudaStreamSynchronize", 20, 75)
                     .build();
  const auto graph = graph_of(t);
  const path_change free_compute{.piece_class = pc::compute};
  // gemm ends at 20, reduce runs 20..40, the call returns 5 later.
  EXPECT_EQ(graph.what_if({&free_compute, 1}).length_ns, 45);
  const path_change half{.work_named = t.works[1].name, .per_mille = 500};
  EXPECT_EQ(graph.what_if({&half, 1}).gain_ns, 10);
  const path_change twice{.piece_class = pc::communication, .per_mille = 2000};
  EXPECT_EQ(graph.what_if({&twice, 1}).gain_ns, -20);
  EXPECT_EQ(graph.what_if({}).gain_ns, 0);
}

TEST(critical_path, calls_a_launch_that_took_milliseconds_to_arrive_unknown) {
  const auto t = scene().kernel("k", 2'000'000, 10, 7, {.call_ns = 0, .call_length_ns = 5}).build();
  EXPECT_EQ(text_of(graph_of(t).path()), "api_call 0..5; unknown 5..2000000; compute 2000000..2000010");
}

TEST(critical_path, takes_all_threads_of_a_trace_without_device_work) {
  const auto t = scene().op("a", 0, 10).op("b", 20, 10).build();
  EXPECT_EQ(text_of(graph_of(t).path()), "op 0..10; host_idle 10..20; op 20..30");
}

TEST(critical_path, of_an_empty_trace_is_empty) {
  const auto t = scene().build();
  EXPECT_TRUE(graph_of(t).path().segments.empty());
  EXPECT_EQ(graph_of(t).what_if({}).length_ns, 0);
}

}  // namespace
}  // namespace ridge::trace
