// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/device_partition.hpp>
#include <ridge/trace/overlap.hpp>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

std::vector<work_class> classes(const trace& t) { return classes_of(t, communication_names::built_in()); }

// compute 0-10 and 40-50, communication 5-25, copy 20-30, fill 45-60 and 28-29.
trace mixed() {
  fixtures::scene in;
  in.kernel("gemm", 0, 10).kernel("gemm", 40, 10).kernel("ncclDevKernel_AllReduce", 5, 20, 8);
  in.copy(copy_kind::host_to_device, 64, 20, 10, 9);
  in.event(category::op, "nothing of a device", 0, 100);
  auto& b = in.builder();
  for (const auto& [start, length] : {std::pair<nanoseconds, nanoseconds>{45, 15}, {28, 1}}) {
    const auto stream = b.track_of(track_kind::stream, b.process(1), 10, 0);
    b.add({.start_ns = start,
           .duration_ns = length,
           .name = b.intern("Memset"),
           .track = stream,
           .kind = category::fill},
          device_work{.stream = 10});
  }
  return in.build();
}

TEST(device_partition, puts_every_nanosecond_in_the_first_state_that_holds) {
  const auto t = mixed();
  const auto all = partition_devices(t, classes(t));
  ASSERT_EQ(all.size(), 1);
  const auto& p = all[0];
  EXPECT_EQ(p.window, (time_range{0, 60}));
  EXPECT_EQ(p.works, 6);
  EXPECT_EQ(p.compute_ns, 10 + 1 + 20);       // 0-10, the fill at 28, 40-60
  EXPECT_EQ(p.fill_only_ns, 1 + 10);          // 28-29, 50-60
  EXPECT_EQ(p.exposed_communication_ns, 15);  // 10-25
  EXPECT_EQ(p.exposed_copy_ns, 3 + 1);        // 25-28, 29-30
  EXPECT_EQ(p.idle_ns, 10);                   // 30-40
  EXPECT_EQ(p.communication_ns, 20);
  EXPECT_EQ(p.copy_ns, 10);
  EXPECT_EQ(p.communication_under_compute_ns, 5);  // 5-10
  EXPECT_DOUBLE_EQ(*p.overlap_percent(), 25);
  EXPECT_DOUBLE_EQ(p.percent(p.exposed_communication_ns), 25);
  EXPECT_FALSE(p.clipped_busy_ns);
}

TEST(device_partition, counts_only_what_a_window_holds) {
  const auto t = mixed();
  const auto p = partition_devices(t, classes(t), time_range{22, 42}).front();
  EXPECT_EQ(p.works, 4);  // the communication, the copy, a fill, the second gemm
  EXPECT_EQ(p.compute_ns, 1 + 2);
  EXPECT_EQ(p.exposed_communication_ns, 3);
  EXPECT_EQ(p.exposed_copy_ns, 4);
  EXPECT_EQ(p.idle_ns, 10);
  const auto outside = partition_devices(t, classes(t), time_range{100, 130}).front();
  EXPECT_EQ(outside.idle_ns, 30);
  EXPECT_EQ(outside.works, 0);
  EXPECT_EQ(partition_devices(t, classes(t), time_range{7, 7}).front().percent(0), 0);
}

TEST(device_partition, of_a_trace_without_device_work_is_empty) {
  const auto t = fixtures::scene().op("aten::add", 0, 10).build();
  EXPECT_TRUE(partition_devices(t, classes(t)).empty());
}

TEST(device_partition, counts_work_without_a_length_and_keeps_the_span_it_makes) {
  const auto t = fixtures::scene().kernel("empty", 0, 0).kernel("k", 10, 5).kernel("empty", 30, 0).build();
  const auto p = partition_devices(t, classes(t)).front();
  EXPECT_EQ(p.window, (time_range{0, 30}));
  EXPECT_EQ(p.works, 3);
  EXPECT_EQ(p.compute_ns, 5);
  EXPECT_EQ(p.idle_ns, 25);
}

TEST(device_partition, clips_durations_that_cannot_be_true_and_says_both) {
  fixtures::scene in;
  in.kernel("overflow", 0, 1000);
  for (int i = 1; i <= 8; ++i) in.kernel("k", i * 10, 4);
  const auto t = in.build();
  const auto raw = partition_devices(t, classes(t)).front();
  EXPECT_EQ(raw.busy_ns(), 1000);
  EXPECT_EQ(raw.clipped_busy_ns, 10 + 8 * 4);
  const auto clipped = partition_devices(t, classes(t), std::nullopt, overlong::clipped).front();
  EXPECT_EQ(clipped.window, (time_range{0, 84}));
  EXPECT_EQ(clipped.busy_ns(), 42);
}

TEST(device_partition, keeps_devices_apart) {
  const auto t = fixtures::scene()
                     .kernel("a", 0, 10, 7, {}, {.device = 1})
                     .kernel("b", 5, 10, 7, {}, {.device = 0})
                     .build();
  const auto all = partition_devices(t, classes(t));
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].device, 0);
  EXPECT_EQ(all[0].window, (time_range{5, 15}));
  EXPECT_EQ(all[1].window, (time_range{0, 10}));
}

TEST(overlap, says_how_long_each_pair_of_classes_ran_together) {
  const auto t = mixed();
  const auto m = overlaps_of(t, classes(t)).front();
  EXPECT_EQ(m.both(work_class::compute, work_class::compute), 20);
  EXPECT_EQ(m.both(work_class::compute, work_class::communication), 5);
  EXPECT_EQ(m.both(work_class::communication, work_class::copy), 5);
  EXPECT_EQ(m.both(work_class::copy, work_class::fill), 1);
  EXPECT_EQ(m.both(work_class::fill, work_class::compute), 5);
  EXPECT_EQ(m.both(work_class::copy, work_class::compute), 0);
  EXPECT_EQ(m.alone_ns[static_cast<std::size_t>(work_class::communication)], 10);
  EXPECT_EQ(m.twice_ns[static_cast<std::size_t>(work_class::compute)], 0);
}

TEST(overlap, knows_when_a_class_overlaps_itself) {
  const auto t = fixtures::scene().kernel("a", 0, 10, 1).kernel("b", 4, 10, 2).kernel("c", 8, 10, 3).build();
  const auto m = overlaps_of(t, classes(t), time_range{0, 12}).front();
  EXPECT_EQ(m.both_ns[0][0], 12);
  EXPECT_EQ(m.twice_ns[0], 8);  // 4-12
}

}  // namespace
}  // namespace ridge::trace
