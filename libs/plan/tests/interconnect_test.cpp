// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/interconnect.hpp>

#include <gtest/gtest.h>

namespace ridge::plan {
namespace {

// 8 GPUs per node at 400 GB/s and 2 us, 50 GB/s and 5 us outside.
interconnect nodes_of_eight() {
  return {.tiers = {{.name = "links", .size = 8, .bytes_per_s = 400e9, .latency_s = 2e-6},
                    {.name = "network", .size = 1 << 20, .bytes_per_s = 50e9, .latency_s = 5e-6}}};
}

TEST(interconnect, finds_the_tier_a_group_must_cross) {
  const auto by = nodes_of_eight();
  EXPECT_EQ(by.tier_of(8).name, "links");
  EXPECT_EQ(by.tier_of(4, 2).name, "links");
  EXPECT_EQ(by.tier_of(2, 8).name, "network");
  EXPECT_EQ(by.tier_of(16).name, "network");
  EXPECT_EQ(by.tier_of(1 << 30).name, "network");
}

TEST(interconnect, sends_groups_that_straddle_nodes_outside) {
  EXPECT_EQ(nodes_of_eight().tier_of(3).name, "network");
  EXPECT_EQ(nodes_of_eight().tier_of(6).name, "network");
}

TEST(interconnect, leaves_a_ninth_of_a_rack_idle) {
  auto by = nodes_of_eight();
  by.tiers[0].size = 72;
  EXPECT_EQ(by.tier_of(64).name, "links");
  EXPECT_EQ(by.tier_of(16).name, "links");
  EXPECT_EQ(by.tier_of(48).name, "network");
}

TEST(all_reduce, takes_the_ring_for_large_and_the_tree_for_small) {
  const auto by = nodes_of_eight();
  // Ring of 8: 14 · 2 us + 1.75 · 8 GB / 400 GB/s.
  EXPECT_NEAR(all_reduce_s(by, 8e9, 8), 28e-6 + 0.035, 1e-12);
  // Tree of 8: 6 · 2 us + 2 · 1 KB / 400 GB/s.
  EXPECT_NEAR(all_reduce_s(by, 1e3, 8), 12e-6 + 5e-9, 1e-15);
  EXPECT_EQ(all_reduce_s(by, 1e9, 1), 0);
}

TEST(all_reduce, goes_through_every_port_of_a_node) {
  const auto by = nodes_of_eight();
  // 4 nodes of 8: scatter and gather inside (7/8 M each), an eighth outside, ring of 4.
  const double inside = 2 * (3 * 2e-6 + 0.875 * 8e9 / 400e9);
  const double outside = 6 * 5e-6 + 1.5 * 1e9 / 50e9;
  EXPECT_NEAR(all_reduce_s(by, 8e9, 32), inside + outside, 1e-12);
  // The same ranks 8 apart have no link between them.
  EXPECT_NEAR(all_reduce_s(by, 8e9, 4, 8), 6 * 5e-6 + 1.5 * 8e9 / 50e9, 1e-12);
}

TEST(all_reduce, is_a_scatter_and_a_gather) {
  const auto by = nodes_of_eight();
  for (const std::int64_t ranks : {2, 8, 64, 4096}) {
    const double both = reduce_scatter_s(by, 1e10, ranks) + all_gather_s(by, 1e10, ranks);
    EXPECT_NEAR(all_reduce_s(by, 1e10, ranks) / both, 1, 0.05) << ranks;
  }
}

TEST(all_gather, sends_everything_but_ones_own) {
  EXPECT_NEAR(all_gather_s(nodes_of_eight(), 4e9, 4), 2 * 2e-6 + 0.75 * 4e9 / 400e9, 1e-12);
  EXPECT_NEAR(all_gather_s(nodes_of_eight(), 4e9, 6, 8), 5 * 5e-6 + 5.0 / 6 * 4e9 / 50e9, 1e-12);
}

TEST(all_to_all, is_held_up_by_what_leaves_the_node) {
  const auto by = nodes_of_eight();
  EXPECT_NEAR(all_to_all_s(by, 8e9, 8), 0.875 * 8e9 / 400e9 + 3 * 2e-6, 1e-12);
  EXPECT_NEAR(all_to_all_s(by, 8e9, 64), 56.0 / 64 * 8e9 / 50e9 + 6 * 5e-6, 1e-12);
}

TEST(collectives, share_oversubscribed_switches) {
  auto by = nodes_of_eight();
  const double before = point_to_point_s(by, 1e9, 8);
  by.tiers[1].oversubscription = 4;
  EXPECT_NEAR(point_to_point_s(by, 1e9, 8), 5e-6 + 4 * (before - 5e-6), 1e-12);
  EXPECT_NEAR(point_to_point_s(by, 1e9, 1), 2e-6 + 1e9 / 400e9, 1e-12);
}

TEST(collectives, never_get_faster_with_more_ranks_or_bytes) {
  const auto by = nodes_of_eight();
  for (std::int64_t ranks = 8; ranks <= (1 << 17); ranks *= 2) {
    EXPECT_LE(all_reduce_s(by, 1e9, ranks), all_reduce_s(by, 1e9, ranks * 2));
    EXPECT_LE(all_to_all_s(by, 1e9, ranks), all_to_all_s(by, 1e9, ranks * 2));
    EXPECT_LT(all_gather_s(by, 1e9, ranks), all_gather_s(by, 2e9, ranks));
  }
}

TEST(usual_interconnect, joins_links_inside_and_a_port_outside) {
  const accelerator h100{.name = "H100 SXM", .generation = "hopper", .scale_up_bytes_per_s = 450e9};
  const auto by = usual_interconnect(h100);
  EXPECT_EQ(by.tier_of(8).bytes_per_s, 450e9);
  EXPECT_NEAR(by.tier_of(8).reached_bytes_per_s(), 374e9, 1);
  EXPECT_EQ(by.tier_of(16).bytes_per_s, 50e9);
  EXPECT_NEAR(all_reduce_s(by, 8, 8), 15.6e-6, 1e-9);  // what small messages of 8 H100 take
}

TEST(usual_interconnect, knows_gpus_without_links) {
  const accelerator l40s{
      .name = "L40S", .generation = "ada", .scale_up_bytes_per_s = 32e9, .scale_up_size = 1};
  EXPECT_EQ(usual_interconnect(l40s).tier_of(4).name, "PCIe");
  EXPECT_EQ(usual_interconnect({.name = "unknown"}).tier_of(2).name, "network");
}

}  // namespace
}  // namespace ridge::plan
