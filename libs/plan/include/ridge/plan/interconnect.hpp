// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/plan/accelerator.hpp>

namespace ridge::plan {

// One level of links: GPUs of a group of `size` reach each other at `bytes_per_s` each, one direction.
struct link_tier {
  std::string name{};           // "NVLink", "rail", "spine"
  std::int64_t size = 1;        // GPUs in a group, all lower tiers included
  double bytes_per_s = 0;       // of one GPU, one direction, as specified (bytes, not bits)
  double latency_s = 0;         // of one hop
  double efficiency = 1;        // share of it that large collectives reach
  double oversubscription = 1;  // of the switches: when all send at once, each has 1/this
  std::string source{};

  // What a GPU has of it while all of its group send.
  [[nodiscard]] double reached_bytes_per_s() const { return bytes_per_s * efficiency / oversubscription; }
};

// The links of a cluster from the innermost tier to the outermost; sizes rise.
struct interconnect {
  std::vector<link_tier> tiers{};
  // The tier that groups of `ranks` GPUs, `stride` apart, must cross: the innermost whose domains hold whole
  // groups with at most a ninth of their GPUs over (64 of a rack of 72; never 6 of 8), else the outermost.
  [[nodiscard]] const link_tier& tier_of(std::int64_t ranks, std::int64_t stride = 1) const;
};

// The usual one: scale-up links inside (PCIe among 8 GPUs where there are none), one network port of
// `port_bytes_per_s` a GPU outside.
[[nodiscard]] interconnect usual_interconnect(const accelerator& gpu, double port_bytes_per_s = 50e9);

// Seconds of a collective over `ranks` GPUs that stand `stride` apart, of `bytes` (of the whole result for
// all-gather, of the input for reduce-scatter, of one GPU's buffer for all-reduce and all-to-all). Of one
// rank: 0. Alpha-beta model (Thakur, Rabenseifner and Gropp, 2005): the better of ring, 2 (n-1) a +
// 2 (n-1)/n M/B, and tree, 2 ceil(log2 n) a + 2 M/B; across tiers hierarchical: reduce-scatter inside,
// all-reduce of 1/size outside, all-gather inside.
[[nodiscard]] double all_reduce_s(const interconnect& by, double bytes, std::int64_t ranks,
                                  std::int64_t stride = 1);
[[nodiscard]] double all_gather_s(const interconnect& by, double bytes, std::int64_t ranks,
                                  std::int64_t stride = 1);
[[nodiscard]] double reduce_scatter_s(const interconnect& by, double bytes, std::int64_t ranks,
                                      std::int64_t stride = 1);
// Every rank's 1/n to every other: tiers work side by side, so the longest of what stays inside the innermost
// and what leaves each.
[[nodiscard]] double all_to_all_s(const interconnect& by, double bytes, std::int64_t ranks,
                                  std::int64_t stride = 1);
// To the GPU `stride` away.
[[nodiscard]] double point_to_point_s(const interconnect& by, double bytes, std::int64_t stride);

}  // namespace ridge::plan
