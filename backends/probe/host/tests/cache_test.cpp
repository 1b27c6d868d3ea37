// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>

#include "caches/chase.hpp"
#include "caches/core_pair_probe.hpp"
#include "caches/latency_probe.hpp"
#include "caches/level_probe.hpp"
#include "memory/numa_probe.hpp"
#include "tests/steady.hpp"

namespace ridge::backends::probe_host {
namespace {

TEST(random_cycle, is_one_cycle_over_all_and_no_place_follows_itself) {
  for (const std::size_t count : {2u, 3u, 16u, 1000u, 65536u}) {
    const auto next = random_cycle(count, 7);
    std::size_t at = 0, steps = 0;
    do at = next[at], ++steps;
    while (at != 0 && steps <= count);
    EXPECT_EQ(steps, count);
  }
  EXPECT_NE(random_cycle(1000, 1), random_cycle(1000, 2));
}

TEST(random_cycle, leaves_no_stride_to_a_prefetcher) {
  const auto next = random_cycle(4096, 7);
  std::size_t near = 0;
  for (std::size_t i = 0; i < next.size(); ++i) near += (next[i] > i ? next[i] - i : i - next[i]) <= 2;
  EXPECT_LT(near, 4096u / 100);
}

// Returns the lines that `steps` loads from a line visit.
std::set<const void*> visited(const std::byte* source, std::size_t steps) {
  std::set<const void*> seen;
  for (std::size_t i = 0; i < steps; ++i) {
    seen.insert(source);
    std::memcpy(&source, source, sizeof(void*));
  }
  return seen;
}

TEST(chase, comes_to_every_line_and_back) {
  const host::region memory(64 * kib);
  const auto through = chase::over_lines(memory.bytes());
  EXPECT_EQ(through.places(), 1024u);
  const auto seen = visited(memory.bytes().data(), 1024);
  EXPECT_EQ(seen.size(), 1024u);
  for (const auto* line : seen)
    EXPECT_EQ((static_cast<const std::byte*>(line) - memory.bytes().data()) % 64, 0);
}

TEST(chase, over_pages_has_a_line_in_each_at_places_that_differ) {
  const host::region memory(64 * 4 * kib, 4 * kib);
  const auto through = chase::over_pages(memory.bytes(), 4 * kib);
  std::set<std::ptrdiff_t> pages, offsets;
  for (const auto* line : visited(memory.bytes().data(), through.places())) {
    const auto at = static_cast<const std::byte*>(line) - memory.bytes().data();
    pages.insert(at / 4096), offsets.insert(at % 4096);
  }
  EXPECT_EQ(pages.size(), 64u);
  EXPECT_GT(offsets.size(), 32u);
}

TEST(chase, runs_as_many_loads_as_it_is_told) {
  const host::region memory(64 * 32);
  auto one = chase::over_lines(memory.bytes());
  one.run(32);  // once round: where it was
  const auto starts = one.starts(4);
  EXPECT_EQ((std::set<void*>(starts.begin(), starts.end()).size()), 4u);
  auto moved = starts;
  run_together(moved, 32);
  EXPECT_EQ(moved, starts);
  run_together(moved, 1);
  EXPECT_NE(moved, starts);
}

host::topology with_caches(std::size_t l3) {
  host::topology machine{.allowed = {0, 1}};
  machine.caches = {{1, host::cache_kind::data, 48 * kib, 64, 0, {0}},
                    {1, host::cache_kind::instruction, 32 * kib, 64, 0, {0}},
                    {2, host::cache_kind::unified, 2 * mib, 64, 0, {0}},
                    {3, host::cache_kind::unified, l3, 64, 0, {0, 1}}};
  return machine;
}

TEST(cache_levels, stay_inside_each_and_do_not_believe_in_a_huge_third) {
  const auto levels = cache_levels(with_caches(480 * mib), 2);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].bytes, 24 * kib);
  EXPECT_EQ(levels[1].bytes, 1 * mib);
  EXPECT_EQ(levels[2].bytes, 8 * mib);
  EXPECT_EQ(cache_levels(with_caches(32 * mib), 2)[2].bytes, 32 * mib / 2 * 2 / 5);
  EXPECT_EQ(cache_levels(with_caches(4 * mib), 2).size(), 2u);  // no more than the second holds
  EXPECT_TRUE(cache_levels(host::topology{}, 1).empty());
}

TEST(plateaus, are_runs_of_like_values_and_slopes_are_none) {
  const auto found = plateaus({{1, 100}, {2, 101}, {3, 99}, {4, 70}, {5, 50}, {6, 30}, {7, 31}, {8, 30}});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].up_to_bytes, 3);
  EXPECT_EQ(found[0].value, 100);
  EXPECT_EQ(found[1].up_to_bytes, 8);
  EXPECT_EQ(found[1].value, 30);
  EXPECT_TRUE(plateaus({{1, 100}, {2, 101}}).empty());
  EXPECT_EQ(words_of({{48.0 * 1024, 2e9}}, "B/s"), "levels seen: 2.00 GB/s to 48.0 KiB");
}

TEST(clusters, group_cores_that_are_near_each_other) {
  const double near = 1, far = 3;
  const std::vector<std::vector<double>> seconds{
      {0, near, far, far}, {near, 0, far, far}, {far, far, 0, near}, {far, far, near, 0}};
  EXPECT_EQ(clusters(seconds), (std::vector<std::vector<std::size_t>>{{0, 1}, {2, 3}}));
  EXPECT_EQ(clusters({{0, near}, {near, 0}}).size(), 1u);
}

TEST(probe_latency, memory_is_farther_than_the_first_level) {
  const steady clock;
  sampler on(clock, nullptr);
  auto machine = with_caches(480 * mib);
  machine.memory_bytes = 512 * mib;
  const auto rows = probe_latency(on, machine, false);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].id, "cpu.latency.l1");
  EXPECT_EQ(rows[3].id, "cpu.latency.memory");
  EXPECT_GT(rows[3].value, 3 * rows[0].value);
}

TEST(probe_nodes, one_node_has_no_other) {
  const steady clock;
  host::topology machine;
  machine.nodes = {{0, {0, 1}, 1 << 30}};
  EXPECT_THROW(static_cast<void>(probe_nodes(clock, machine)), unavailable);
}

}  // namespace
}  // namespace ridge::backends::probe_host
