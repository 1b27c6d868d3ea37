// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/copies.hpp>

#include <gmock/gmock.h>

#include "fixtures/scene.hpp"
#include "memory/copy_names.hpp"

namespace ridge::trace {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t mib = 1 << 20;

copy_report copies_of_device_0(const trace& t, std::optional<time_range> window = {},
                               std::span<const time_range> steps = {}) {
  return copies_of(t, classes_of(t, communication_names::built_in()), 0, window, steps);
}

device_work between(memory_kind source, memory_kind destination) {
  return {.source = source, .destination = destination};
}

TEST(copies, groups_by_kind_and_memory_with_rates_and_exposed_time) {
  fixtures::scene s;
  s.kernel("gemm", 1000, 1000, 7);
  s.copy(copy_kind::host_to_device, 2 * mib, 500, 1000, 8, {},
         between(memory_kind::pinned, memory_kind::device));
  s.copy(copy_kind::host_to_device, 512, 1800, 400, 8, {},
         between(memory_kind::pageable, memory_kind::device));
  s.copy(copy_kind::device_to_device, 4 * mib, 3000, 100, 7);
  const auto r = copies_of_device_0(s.build());
  EXPECT_EQ(r.window, (time_range{500, 3100}));
  EXPECT_EQ(r.all.count, 3U);
  EXPECT_EQ(r.all.bytes, 6 * mib + 512);
  EXPECT_EQ(r.busy_ns, 1000 + 400 + 100);
  EXPECT_EQ(r.exposed_ns, 500 + 200 + 100);
  EXPECT_EQ(r.exposed_pageable_ns, 200);
  EXPECT_EQ(r.device_to_device_ns, 100);
  ASSERT_THAT(r.groups, SizeIs(3));
  const auto& pageable = r.groups[0];
  EXPECT_TRUE(pageable.pageable());
  EXPECT_EQ(pageable.exposed_ns, 200);
  EXPECT_EQ(pageable.achieved(1e9), std::nullopt);  // too small to be held against a link
  const auto& pinned = r.groups[1];
  EXPECT_FALSE(pinned.pageable());
  EXPECT_DOUBLE_EQ(pinned.all.bytes_per_s(), 2.0 * mib * 1e6);
  EXPECT_DOUBLE_EQ(pinned.achieved(4.0 * mib * 1e6).value(), 0.5);
  EXPECT_EQ(pinned.sizes[6].count, 1U);
}

TEST(copies, are_hidden_by_communication_and_fills_too) {
  fixtures::scene s;
  s.kernel("ncclDevKernel_AllReduce", 0, 100, 7);
  s.builder().add({.start_ns = 100,
                   .duration_ns = 50,
                   .name = s.name("Memset"),
                   .track = s.builder().track_of(track_kind::stream, s.builder().process(1), 7, 0),
                   .kind = category::fill},
                  device_work{.stream = 7});
  s.copy(copy_kind::device_to_host, 100, 0, 200, 8);
  EXPECT_EQ(copies_of_device_0(s.build()).exposed_ns, 50);
}

TEST(copies, fall_into_classes_of_size) {
  fixtures::scene s;
  for (const std::int64_t bytes : {0, 1, 1023, 1024, 65'535, 65'536, 1 << 28})
    s.copy(copy_kind::host_to_device, bytes, bytes, 10, 8);
  const auto g = copies_of_device_0(s.build()).groups.front();
  std::vector<std::uint64_t> counts;
  for (const auto& size : g.sizes) counts.push_back(size.count);
  EXPECT_THAT(counts, ElementsAre(3, 1, 0, 1, 1, 0, 0, 0, 1));
  EXPECT_EQ(g.unknown_sizes, 1U);
  EXPECT_EQ(g.median_bytes, 1024);
}

TEST(copies, are_counted_in_the_step_in_which_they_start) {
  fixtures::scene s;
  for (const nanoseconds start : {0, 10, 20, 95, 100, 250})
    s.copy(copy_kind::host_to_device, start + 1, start, 9, 8);
  const std::vector<time_range> steps{{0, 100}, {100, 200}, {200, 300}};
  const auto r = copies_of_device_0(s.build(), {}, steps);
  ASSERT_THAT(r.per_step, SizeIs(1));
  EXPECT_EQ(r.per_step[0].count, 6U);
  EXPECT_EQ(r.per_step[0].max_count, 4U);
  EXPECT_EQ(r.per_step[0].median_count, 1U);
  EXPECT_EQ(r.per_step[0].median_bytes, 96);
  EXPECT_EQ(r.per_step[0].steps, 3U);
}

TEST(copies, at_the_edge_of_a_window_are_cut_in_time_and_counted_where_they_start) {
  fixtures::scene s;
  s.copy(copy_kind::host_to_device, 10, 0, 100, 8).copy(copy_kind::host_to_device, 20, 150, 100, 8);
  const auto t = s.build();
  const auto early = copies_of_device_0(t, time_range{0, 200}),
             late = copies_of_device_0(t, time_range{200, 300});
  EXPECT_EQ(early.busy_ns, 150);
  EXPECT_EQ(early.all.bytes, 30);
  EXPECT_EQ(late.busy_ns, 50);
  EXPECT_EQ(late.all.count, 0U);
  EXPECT_THAT(copies_of_device_0(t, time_range{400, 500}).groups, IsEmpty());
}

TEST(copies, are_known_by_their_names) {
  const auto h = copy_ends_of_name("Memcpy HtoD (Pageable -> Device)");
  EXPECT_EQ(h.kind, copy_kind::host_to_device);
  EXPECT_EQ(h.source, memory_kind::pageable);
  EXPECT_EQ(h.destination, memory_kind::device);
  EXPECT_EQ(copy_ends_of_name("CopyDeviceToHost").kind, copy_kind::device_to_host);
  EXPECT_EQ(copy_ends_of_name("Memcpy DtoH (Device -> Host)").destination, memory_kind::unknown);
  EXPECT_EQ(copy_ends_of_name("Memcpy").kind, copy_kind::unknown);
  const auto kept = copy_ends_of({.copy = copy_kind::peer_to_peer, .destination = memory_kind::pinned}, h);
  EXPECT_EQ(kept.kind, copy_kind::peer_to_peer);
  EXPECT_EQ(kept.source, memory_kind::pageable);
  EXPECT_EQ(kept.destination, memory_kind::pinned);
}

}  // namespace
}  // namespace ridge::trace
