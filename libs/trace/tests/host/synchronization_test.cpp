// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/synchronization.hpp>

#include <gmock/gmock.h>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(synchronization, knows_the_calls_that_wait) {
  EXPECT_EQ(wait_of_call("cudaDeviceSynchronize"), wait_kind::device);
  EXPECT_EQ(wait_of_call("cuCtxSynchronize"), wait_kind::device);
  EXPECT_EQ(wait_of_call("cuStreamSynchronize_ptsz"), wait_kind::stream);
  EXPECT_EQ(wait_of_call("hipEventSynchronize"), wait_kind::event);
  EXPECT_EQ(wait_of_call("hipMemcpyWithStream"), wait_kind::copy);
  EXPECT_EQ(wait_of_call("cudaMemcpy_v3020"), wait_kind::copy);
  EXPECT_EQ(wait_of_call("cudaMemcpyAsync"), std::nullopt);
  EXPECT_EQ(wait_of_call("cudaGraphAddMemcpyNode"), std::nullopt);
  EXPECT_EQ(wait_of_call("cudaStreamWaitEvent"), std::nullopt);
  EXPECT_EQ(wait_of_call("torch.cuda.synchronize DeviceSynchronize"), std::nullopt);
  EXPECT_EQ(wait_of_call("cudaFree"), wait_kind::other);
}

// Kernels [100, 300) and [700, 800); a synchronization [200, 310) under aten::item, another [320, 330).
void add_item(fixtures::scene& s) {
  s.kernel("gemm", 100, 200, 7, {0, 10}).kernel("next", 700, 100, 7, {500, 10});
  s.op("aten::item", 150, 165).op("aten::_local_scalar_dense", 160, 152);
  s.api("cudaStreamSynchronize", 200, 110).api("cudaStreamSynchronize", 320, 10);
}

TEST(synchronization, tells_what_a_call_waited_for_and_what_the_device_lost) {
  fixtures::scene s;
  add_item(s);
  const auto t = s.build();
  const auto r = host_waits_of(t);
  ASSERT_THAT(r.waits, SizeIs(2));
  const auto& w = r.waits.front();
  EXPECT_EQ(w.range, (time_range{200, 310}));
  EXPECT_EQ(t.names[t.works[w.waited_for].name], "gemm");
  EXPECT_EQ(w.busy_ns, 100);
  EXPECT_EQ(w.idle_after_ns, 390);
  EXPECT_EQ(t.name_of(w.op), "aten::_local_scalar_dense");
  EXPECT_TRUE(w.reads_scalar);
  EXPECT_EQ(r.waits.back().waited_for, none);  // nothing ran: it waited for nothing
  EXPECT_EQ(r.waits.back().idle_after_ns, 0);
  EXPECT_FALSE(r.waits.back().reads_scalar);
  EXPECT_EQ(r.blocked_ns, 120);
  EXPECT_EQ(r.idle_after_ns, 390);
  EXPECT_EQ(r.scalar_reads, 1U);
  ASSERT_THAT(r.groups, SizeIs(1));
  EXPECT_EQ(r.groups[0].count, 2U);
  EXPECT_EQ(r.groups[0].ns, 120);
  EXPECT_EQ(r.groups[0].longest_ns, 110);
}

TEST(synchronization, counts_no_time_twice) {
  fixtures::scene s;
  s.kernel("gemm", 0, 300, 7, {0, 10}).kernel("next", 1000, 10, 7, {900, 10});
  s.api("cudaStreamSynchronize", 100, 250).api("cuStreamSynchronize", 120, 200);  // one in the other
  s.api("cudaDeviceSynchronize", 280, 60, 2);
  const auto r = host_waits_of(s.build());
  ASSERT_THAT(r.threads, SizeIs(2));
  EXPECT_EQ(r.threads[0].blocked_ns, 250);
  EXPECT_EQ(r.threads[1].blocked_ns, 60);
  EXPECT_EQ(r.idle_after_ns, 680);  // from 320 on, whoever waited
}

TEST(synchronization, sees_a_scalar_read_by_the_copy_before_it) {
  fixtures::scene s;
  s.copy(copy_kind::device_to_host, 4, 100, 10, 7, {0, 10, "cudaMemcpyAsync"})
      .api("cudaStreamSynchronize", 50, 70);
  s.copy(copy_kind::device_to_host, 4096, 1100, 10, 7, {1000, 10, "cudaMemcpyAsync"});
  s.api("cudaStreamSynchronize", 1050, 70);
  const auto r = host_waits_of(s.build());
  ASSERT_THAT(r.waits, SizeIs(2));
  EXPECT_TRUE(r.waits[0].reads_scalar);
  EXPECT_FALSE(r.waits[1].reads_scalar);
}

TEST(synchronization, counts_a_read_once_where_its_copy_waits_too) {
  fixtures::scene s;
  const device_work pageable{.source = memory_kind::device, .destination = memory_kind::pageable};
  s.op("aten::item", 0, 300);
  s.copy(copy_kind::device_to_host, 4, 100, 50, 7, {0, 200, "cudaMemcpyAsync"}, pageable);
  s.api("cudaStreamSynchronize", 210, 20);
  const auto r = host_waits_of(s.build());
  ASSERT_THAT(r.waits, SizeIs(2));
  EXPECT_EQ(r.scalar_reads, 1U);
  EXPECT_TRUE(r.waits[0].reads_scalar);
}

TEST(synchronization, takes_a_copy_of_pageable_memory_for_a_wait_where_it_was_one) {
  fixtures::scene s;
  const device_work pageable{.source = memory_kind::device, .destination = memory_kind::pageable};
  s.copy(copy_kind::device_to_host, 4096, 100, 50, 7, {0, 200, "cudaMemcpyAsync"}, pageable);
  s.copy(copy_kind::device_to_host, 4096, 500, 50, 7, {400, 20, "cudaMemcpyAsync"}, pageable);
  const auto r = host_waits_of(s.build());
  ASSERT_THAT(r.waits, SizeIs(1));
  EXPECT_EQ(r.waits[0].kind, wait_kind::copy);
  EXPECT_EQ(r.waits[0].range, (time_range{0, 200}));
}

TEST(synchronization, counts_a_free_only_where_work_ended_in_it) {
  fixtures::scene s;
  s.kernel("gemm", 0, 100, 7, {0, 10}).api("cudaFree", 50, 60).api("cudaFree", 200, 60);
  const auto r = host_waits_of(s.build());
  ASSERT_THAT(r.waits, SizeIs(1));
  EXPECT_EQ(r.waits[0].kind, wait_kind::other);
}

// Stream 9 ended later, but the record says that stream 7 was waited for.
TEST(synchronization, knows_the_stream_from_its_record) {
  fixtures::scene s;
  s.kernel("mine", 0, 100, 7, {0, 10}).kernel("other", 0, 130, 9, {20, 10});
  auto& b = s.builder();
  const auto thread = b.track_of(track_kind::thread, b.process(1), 1);
  b.add({.start_ns = 50,
         .duration_ns = 100,
         .name = b.intern("cudaStreamSynchronize"),
         .track = thread,
         .correlation = 77,
         .kind = category::api});
  b.add({.start_ns = 50,
         .duration_ns = 100,
         .name = b.intern("Stream Sync"),
         .track = b.track_of(track_kind::stream, b.process(1), 7, 0),
         .correlation = 77,
         .kind = category::synchronization},
        sync_detail{.kind = sync_kind::stream, .device = 0, .stream = 7});
  const auto t = s.build();
  const auto r = host_waits_of(t);
  ASSERT_THAT(r.waits, SizeIs(1));
  EXPECT_EQ(t.names[t.works[r.waits[0].waited_for].name], "mine");
}

TEST(synchronization, is_told_step_by_step_and_cut_to_the_window) {
  fixtures::scene s;
  add_item(s);
  const auto t = s.build();
  const std::vector<time_range> steps{{0, 250}, {250, 400}};
  const auto r = host_waits_of(t, {}, steps);
  ASSERT_THAT(r.steps, SizeIs(2));
  EXPECT_EQ(r.steps[0].count, 1U);
  EXPECT_EQ(r.steps[0].blocked_ns, 50);
  EXPECT_EQ(r.steps[0].idle_after_ns, 390);
  EXPECT_EQ(r.steps[1].count, 1U);
  EXPECT_EQ(r.steps[1].blocked_ns, 70);
  const auto cut = host_waits_of(t, time_range{300, 400});
  EXPECT_EQ(cut.blocked_ns, 20);
  EXPECT_EQ(cut.idle_after_ns, 90);
  EXPECT_THAT(host_waits_of(t, time_range{2000, 3000}).waits, IsEmpty());
}

}  // namespace
}  // namespace ridge::trace
