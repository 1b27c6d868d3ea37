// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/plan/accelerator.hpp>

namespace ridge::plan {

// One level of links: GPUs of a group of `size` reach each other at `bytes_per_s` each, one direction.
struct link_tier {
  std::string name{};      // "NVLink", "rail", "spine"
  std::int64_t size = 1;   // GPUs in a group, all lower tiers included
  double bytes_per_s = 0;  // of one GPU, one direction, as specified (bytes, not bits)
  double latency_s = 0;    // of one hop
  double efficiency = 1;   // share of it that large collectives reach
  std::string source{};
};

// The links of a cluster from the innermost tier to the outermost; sizes rise.
struct interconnect {
  std::vector<link_tier> tiers{};
  // The tier that `ranks` consecutive-by-`stride` GPUs must cross.
  [[nodiscard]] const link_tier& tier_of(std::int64_t ranks, std::int64_t stride = 1) const;
};

// The usual one: scale-up links inside, one network port of `port_bytes_per_s` a GPU outside.
[[nodiscard]] interconnect usual_interconnect(const accelerator& gpu, double port_bytes_per_s = 50e9);

// Seconds of a collective over `ranks` GPUs that stand `stride` apart, of `bytes` (of the whole result for
// all-gather, of the input for reduce-scatter, of one GPU's buffer for all-reduce and all-to-all). The better
// of ring and tree; across tiers hierarchical: reduce-scatter inside, all-reduce of 1/size outside,
// all-gather inside. planning.md 1.13: ring all-reduce 2 (n-1) a + 2 (n-1)/n M/B; tree 2 log2(n) a + 2 M/B.
[[nodiscard]] double all_reduce_s(const interconnect& by, double bytes, std::int64_t ranks,
                                  std::int64_t stride = 1);
[[nodiscard]] double all_gather_s(const interconnect& by, double bytes, std::int64_t ranks,
                                  std::int64_t stride = 1);
[[nodiscard]] double reduce_scatter_s(const interconnect& by, double bytes, std::int64_t ranks,
                                      std::int64_t stride = 1);
[[nodiscard]] double all_to_all_s(const interconnect& by, double bytes, std::int64_t ranks,
                                  std::int64_t stride = 1);
[[nodiscard]] double point_to_point_s(const interconnect& by, double bytes, std::int64_t stride);

}  // namespace ridge::plan
