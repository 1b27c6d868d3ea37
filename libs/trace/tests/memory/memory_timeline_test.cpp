// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/memory_timeline.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fixtures/scene.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;

// Events of an allocator on device 0, made on thread 1, that tells its totals.
class allocator {
 public:
  explicit allocator(scene& s)
      : builder_(s.builder()), track_(builder_.track_of(track_kind::thread, builder_.process(1), 1)) {}
  allocator& event(nanoseconds time, std::uint64_t address, std::int64_t bytes, std::int64_t reserved = -1) {
    total_ += bytes;
    builder_.add(memory_event{.time_ns = time,
                              .address = address,
                              .bytes = bytes,
                              .total_allocated = total_,
                              .total_reserved = reserved,
                              .device = 0,
                              .track = track_});
    return *this;
  }
  allocator& before(std::int64_t bytes) {
    total_ += bytes;
    return *this;
  }

 private:
  trace_builder& builder_;
  track_id track_;
  std::int64_t total_ = 0;
};

TEST(memory_timeline, says_when_a_trace_tells_nothing) {
  const auto m = memory_timeline_of(scene().kernel("k", 0, 10).build());
  EXPECT_FALSE(m.told);
  EXPECT_TRUE(m.devices.empty());
}

TEST(memory_timeline, finds_the_peak_and_who_holds_it) {
  scene s;
  s.annotation("ProfilerStep#4", 0, 100)
      .annotation("forward", 5, 50)
      .op("aten::linear", 10, 30)
      .op("aten::mm", 12, 20);
  allocator(s)
      .before(1000)
      .event(15, 1, 400)
      .event(20, 2, 300)
      .event(30, 3, 200)
      .event(40, 2, -300)
      .event(60, 4, 50);
  const auto m = memory_timeline_of(s.build());
  ASSERT_EQ(m.devices.size(), 1u);
  const auto& d = m.devices[0];
  EXPECT_EQ(d.peak_allocated.allocated, 1900);
  EXPECT_EQ(d.peak_allocated.time_ns, 30);
  EXPECT_EQ(d.last.allocated, 1650);
  EXPECT_EQ(d.live_before_trace, 1000);
  ASSERT_EQ(d.live_at_peak.size(), 1u);
  EXPECT_EQ(d.live_at_peak[0].owner, "aten::mm");
  EXPECT_EQ(d.live_at_peak[0].annotation, "forward");
  EXPECT_EQ(d.live_at_peak[0].step, "ProfilerStep#4");
  EXPECT_EQ(d.live_at_peak[0].bytes, 900);
  EXPECT_EQ(d.live_at_peak[0].allocations, 3);
}

TEST(memory_timeline, sums_what_is_there_where_totals_are_not_told) {
  scene s;
  s.builder().add(memory_event{.time_ns = 1, .address = 1, .bytes = 10, .device = -1});
  s.builder().add(memory_event{.time_ns = 2, .address = 2, .bytes = 20, .device = -1});
  s.builder().add(memory_event{.time_ns = 3, .address = 9, .bytes = -35, .device = -1});
  const auto m = memory_timeline_of(s.build());
  EXPECT_FALSE(m.devices[0].totals_told);
  EXPECT_EQ(m.devices[0].peak_allocated.allocated, 35);  // 5 at least were there before
  EXPECT_FALSE(m.devices[0].peak_reserved);
  EXPECT_FALSE(m.devices[0].fragmented);
  EXPECT_EQ(m.devices[0].unmatched_releases, 1);
}

TEST(memory_timeline, follows_no_blocks_without_addresses) {
  scene s;
  s.builder().add(memory_event{.time_ns = 1, .bytes = 10, .device = 0});
  s.builder().add(memory_event{.time_ns = 2, .bytes = -10, .device = 0});
  const auto d = memory_timeline_of(s.build(), std::vector<time_range>{{0, 5}}).devices.at(0);
  EXPECT_FALSE(d.addresses_told);
  EXPECT_TRUE(d.live_at_peak.empty());
  EXPECT_EQ(d.steps[0].allocations, 1);
}

TEST(memory_timeline, names_the_operator_around_one_that_only_allocates) {
  scene s;
  s.op("aten::linear", 0, 50).op("aten::empty", 10, 10).op("aten::empty", 60, 10);
  allocator(s).event(15, 1, 400).event(65, 2, 300);
  const auto d = memory_timeline_of(s.build(), std::vector<time_range>{{0, 100}}).devices.at(0);
  ASSERT_EQ(d.live_at_peak.size(), 2u);
  EXPECT_EQ(d.live_at_peak[0].owner, "aten::linear");
  EXPECT_EQ(d.live_at_peak[1].owner, "aten::empty");
  EXPECT_EQ(d.live_at_peak[0].step, "step 0");
}

TEST(memory_timeline, tells_fragmentation_and_how_near_the_device_is_to_full) {
  scene s;
  s.device({.id = 0, .memory_bytes = 10'000});
  allocator(s).event(1, 1, 6'000, 8'000).event(2, 1, -6'000, 8'000).event(3, 2, 3'000, 9'001);
  const auto d = memory_timeline_of(s.build()).devices.at(0);
  EXPECT_EQ(d.peak_allocated.allocated, 6'000);
  ASSERT_TRUE(d.peak_reserved);
  EXPECT_EQ(d.peak_reserved->time_ns, 3);
  EXPECT_EQ(d.fragmented, 2'000);  // at the peak of allocated
  EXPECT_EQ(d.fragmented_per_mille, 250);
  EXPECT_TRUE(d.near_limit);
}

TEST(memory_timeline, counts_churn_and_finds_what_grows_from_step_to_step) {
  scene s;
  std::vector<time_range> steps;
  allocator a(s);
  for (int i = 0; i < 6; ++i) {
    const auto at = i * 100;
    const auto address = static_cast<std::uint64_t>(i) * 10;
    steps.push_back({at, at + 100});
    s.api("cudaMalloc", at + 1, 5).api("cudaMallocHost", at + 7, 5).api("cudaFree", at + 13, 5);
    a.event(at + 20, 1000 + address, 64);  // leaks
    if (i > 0) a.event(at + 25, 4990 + address, -500);
    a.event(at + 30, 5000 + address, 500);  // lives into the next step
    a.event(at + 40, 9000, 7).event(at + 50, 9000, -7);
  }
  const auto d = memory_timeline_of(s.build(), steps).devices.at(0);
  ASSERT_EQ(d.steps.size(), 6u);
  EXPECT_EQ(d.steps[2].allocations, 3);
  EXPECT_EQ(d.steps[2].allocated_bytes, 571);
  EXPECT_EQ(d.steps[2].unreleased_bytes, 64);
  EXPECT_EQ(d.steps[5].unreleased_bytes, 564);
  EXPECT_EQ(d.steps[2].device_allocations, 1);
  EXPECT_EQ(d.steps[2].device_frees, 1);
  EXPECT_EQ(d.steps[2].allocated_at_start, 2 * 64 + 500);
  EXPECT_EQ(d.steps[2].peak, 3 * 64 + 500 + 7);
  EXPECT_EQ(d.growth_per_step, 64);
}

TEST(memory_timeline, calls_a_level_that_falls_once_no_leak) {
  scene s;
  allocator a(s);
  std::vector<time_range> steps;
  for (int i = 0; i < 6; ++i) {
    steps.push_back({i * 100, i * 100 + 100});
    a.event(i * 100 + 10, static_cast<std::uint64_t>(i) + 1, 64);
    if (i == 4) a.event(450, 1, -64);
  }
  EXPECT_FALSE(memory_timeline_of(s.build(), steps).devices.at(0).growth_per_step);
}

}  // namespace
}  // namespace ridge::trace
