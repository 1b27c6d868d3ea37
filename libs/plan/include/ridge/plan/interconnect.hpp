// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/plan/accelerator.hpp>

namespace ridge::plan {

// One level of links: each GPU in a group of `size` sends to the others at `bytes_per_s`.
struct link_tier {
  std::string name{};           // "NVLink", "rail", "spine"
  std::int64_t size = 1;        // GPUs in a group, all lower tiers included
  double bytes_per_s = 0;       // per GPU and direction, as specified (bytes, not bits)
  double latency_s = 0;         // per hop
  double efficiency = 1;        // share of bytes_per_s that large collectives reach
  double oversubscription = 1;  // of the switches: each GPU gets 1/this while all send
  std::string source{};

  // Bytes per second and GPU while the whole group sends.
  [[nodiscard]] double reached_bytes_per_s() const { return bytes_per_s * efficiency / oversubscription; }
};

// The links of a cluster from the innermost tier to the outermost, in increasing size.
struct interconnect {
  std::vector<link_tier> tiers{};
  // The tier that groups of `ranks` GPUs, `stride` apart, must cross: the innermost whose domains hold whole
  // groups with at most a ninth of their GPUs over (64 of a rack of 72; never 6 of 8), else the outermost.
  [[nodiscard]] const link_tier& tier_of(std::int64_t ranks, std::int64_t stride = 1) const;
};

// The usual cluster: scale-up links inside (PCIe among 8 GPUs where there are none) and one network port of
// `port_bytes_per_s` per GPU outside.
[[nodiscard]] interconnect usual_interconnect(const accelerator& gpu, double port_bytes_per_s = 50e9);

// Seconds of a collective over `ranks` GPUs that are `stride` apart; 0 for one rank. `bytes` counts the whole
// result of an all-gather, the input of a reduce-scatter, and the buffer of one GPU for all-reduce and
// all-to-all. Alpha-beta model (Thakur, Rabenseifner and Gropp, 2005): the better of ring, 2 (n-1) a + 2
// (n-1)/n M/B, and tree, 2 ceil(log2 n) a + 2 M/B; across tiers hierarchical: reduce-scatter inside,
// all-reduce of 1/size outside, all-gather inside.
[[nodiscard]] double all_reduce_s(const interconnect& links, double bytes, std::int64_t ranks,
                                  std::int64_t stride = 1);
[[nodiscard]] double all_gather_s(const interconnect& links, double bytes, std::int64_t ranks,
                                  std::int64_t stride = 1);
[[nodiscard]] double reduce_scatter_s(const interconnect& links, double bytes, std::int64_t ranks,
                                      std::int64_t stride = 1);
// Each rank sends 1/n of its buffer to every other. Tiers work in parallel, so the slowest one decides: what
// stays inside the innermost tier, or what leaves each.
[[nodiscard]] double all_to_all_s(const interconnect& links, double bytes, std::int64_t ranks,
                                  std::int64_t stride = 1);
// Seconds to send `bytes` to the GPU that is `stride` away.
[[nodiscard]] double point_to_point_s(const interconnect& links, double bytes, std::int64_t stride);

}  // namespace ridge::plan
