// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/interconnect.hpp>

#include <algorithm>
#include <bit>

#include <ridge/base/expects.hpp>

namespace ridge::plan {
namespace {

double log2_steps(std::int64_t n) {
  return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

double share_sent(std::int64_t n) { return static_cast<double>(n - 1) / static_cast<double>(n); }

double flat_all_reduce_s(const link_tier& t, double bytes, std::int64_t n) {
  const double b = t.reached_bytes_per_s();
  const double ring = 2 * static_cast<double>(n - 1) * t.latency_s + 2 * share_sent(n) * bytes / b;
  const double tree = 2 * log2_steps(n) * t.latency_s + 2 * bytes / b;
  return std::min(ring, tree);
}

// Ring, or recursive doubling when ranks are a power of two: the same bytes in fewer steps.
double flat_gather_s(const link_tier& t, double bytes, std::int64_t n) {
  const bool doubles = (n & (n - 1)) == 0;
  const double steps = doubles ? log2_steps(n) : static_cast<double>(n - 1);
  return steps * t.latency_s + share_sent(n) * bytes / t.reached_bytes_per_s();
}

// Whether whole groups that span so many GPUs fit into the domains.
bool holds(const link_tier& t, std::int64_t span) {
  constexpr std::int64_t idle_share = 9;
  return span <= t.size && t.size % span * idle_share <= t.size;
}

// Ranks of the group per domain of this tier. When the group does not fill domains evenly, the largest number
// of ranks that divides the group, so that all participants of a phase are equal.
std::int64_t ranks_within(const link_tier& t, std::int64_t ranks, std::int64_t stride) {
  if (t.size < 2 * stride) return 1;
  std::int64_t within = std::min(t.size / stride, ranks);
  while (within > 1 && (ranks % within != 0 || !holds(t, within * stride))) --within;
  return within;
}

// The phases of a hierarchical collective: each tier connects `fan` groups of the tier below, and each
// carries 1/inside of the bytes.
template <class Phase>
double over_tiers(const interconnect& links, double bytes, std::int64_t ranks, std::int64_t stride,
                  Phase phase) {
  double seconds = 0;
  std::int64_t inside = 1;
  for (std::size_t i = 0; i < links.tiers.size() && inside < ranks; ++i) {
    const bool outermost = i + 1 == links.tiers.size();
    const auto reached = outermost ? ranks : std::max(inside, ranks_within(links.tiers[i], ranks, stride));
    if (reached == inside || reached % inside != 0) continue;
    const auto fan = reached / inside;
    if (fan > 1) seconds += phase(links.tiers[i], bytes / static_cast<double>(inside), fan, reached == ranks);
    inside = reached;
  }
  return seconds;
}

double pairwise_s(const link_tier& t, double bytes, std::int64_t to_share, std::int64_t ranks) {
  const double n = static_cast<double>(ranks);
  return static_cast<double>(to_share) / n * bytes / t.reached_bytes_per_s();
}

// Efficiency and latency of scale-up links: alpha-beta fits of NCCL all-reduce on 8 GPUs (the
// nccl_perf tables of aiconfigurator): 190 of 300, 374 of 450, 584 of 900 GB/s; latency of the smallest
// messages, 21, 15.6 and 25 us, over the 6 hops of a tree.
struct fitted_links {
  std::string_view generation;
  double efficiency;
  double latency_s;
};
constexpr fitted_links fits[] = {{"ampere", 190.0 / 300, 21e-6 / 6},
                                 {"hopper", 374.0 / 450, 15.6e-6 / 6},
                                 {"blackwell", 584.0 / 900, 25e-6 / 6}};

// Without links of their own, GPUs exchange through the host's memory: large messages reach 20 of 31 GB/s
// (all-reduce of 2 L40S, the nccl_perf tables of aiconfigurator); a hop crosses PCIe twice and is polled on
// both sides, some 8 us (assumed; with peer access, as of those L40S, 3 us).
link_tier pcie_tier(const accelerator& gpu) {
  return {.name = "PCIe",
          .size = 8,
          .bytes_per_s = gpu.scale_up_bytes_per_s,
          .latency_s = 8e-6,
          .efficiency = 20.0 / 31,
          .source = gpu.source + "; efficiency as of L40S, latency through the host assumed"};
}

link_tier scale_up_tier(const accelerator& gpu) {
  if (gpu.scale_up_size <= 1) return pcie_tier(gpu);
  link_tier tier{.name = "scale-up",
                 .size = gpu.scale_up_size,
                 .bytes_per_s = gpu.scale_up_bytes_per_s,
                 .latency_s = 4e-6,
                 .efficiency = 0.7,
                 .source = gpu.source + "; efficiency and latency assumed"};
  for (const auto& f : fits) {
    if (f.generation != gpu.generation) continue;
    tier.efficiency = f.efficiency;
    tier.latency_s = f.latency_s;
    tier.source = gpu.source + "; efficiency and latency fitted to NCCL all-reduce of 8 GPUs";
  }
  return tier;
}

}  // namespace

const link_tier& interconnect::tier_of(std::int64_t ranks, std::int64_t stride) const {
  expects(!tiers.empty(), "interconnect: no tier");
  const auto span = ranks * stride;
  for (const auto& t : tiers) {
    if (holds(t, span)) return t;
  }
  return tiers.back();
}

interconnect usual_interconnect(const accelerator& gpu, double port_bytes_per_s) {
  interconnect by;
  if (gpu.scale_up_bytes_per_s > 0) by.tiers.push_back(scale_up_tier(gpu));
  by.tiers.push_back({.name = "network",
                      .size = 1LL << 40,
                      .bytes_per_s = port_bytes_per_s,
                      .latency_s = 5e-6,
                      .efficiency = 0.9,
                      .oversubscription = 1,
                      .source = "one port per GPU; efficiency and latency assumed"});
  return by;
}

double all_reduce_s(const interconnect& links, double bytes, std::int64_t ranks, std::int64_t stride) {
  if (ranks <= 1) return 0;
  const auto phase = [](const link_tier& t, double b, std::int64_t n, bool last) {
    return last ? flat_all_reduce_s(t, b, n) : 2 * flat_gather_s(t, b, n);
  };
  return over_tiers(links, bytes, ranks, stride, phase);
}

double all_gather_s(const interconnect& links, double bytes, std::int64_t ranks, std::int64_t stride) {
  if (ranks <= 1) return 0;
  const auto phase = [](const link_tier& t, double b, std::int64_t n, bool) {
    return flat_gather_s(t, b, n);
  };
  return over_tiers(links, bytes, ranks, stride, phase);
}

double reduce_scatter_s(const interconnect& links, double bytes, std::int64_t ranks, std::int64_t stride) {
  return all_gather_s(links, bytes, ranks, stride);
}

double all_to_all_s(const interconnect& links, double bytes, std::int64_t ranks, std::int64_t stride) {
  if (ranks <= 1) return 0;
  double longest = 0;
  double latency = 0;
  std::int64_t inside = 1;
  for (std::size_t i = 0; i < links.tiers.size() && inside < ranks; ++i) {
    const bool outermost = i + 1 == links.tiers.size();
    const auto reached = outermost ? ranks : std::max(inside, ranks_within(links.tiers[i], ranks, stride));
    if (reached == inside) continue;
    const auto crossing = i == 0 ? reached - 1 : ranks - inside;
    longest = std::max(longest, pairwise_s(links.tiers[i], bytes, crossing, ranks));
    latency = links.tiers[i].latency_s;
    inside = reached;
  }
  return longest + log2_steps(ranks) * latency;
}

double point_to_point_s(const interconnect& links, double bytes, std::int64_t stride) {
  const auto& t = links.tier_of(2, stride);
  return t.latency_s + bytes / t.reached_bytes_per_s();
}

}  // namespace ridge::plan
