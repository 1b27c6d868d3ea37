// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "rules/rules_kernels.hpp"

// Rules that read hardware counters of one kernel.
namespace ridge::trace {
namespace {

template <class Judge>
outcome each_counted(const evidence& e, Judge look) {
  outcome out;
  for (const auto& k : e.kernels) {
    if (!k.counters) continue;
    if (auto c = look(k, *k.counters)) out.found.push_back(std::move(*c));
  }
  return out;
}

nanoseconds part_of(const judged_kernel& k, double part) {
  return static_cast<nanoseconds>(static_cast<double>(k.time_ns) * std::clamp(part, 0.0, 1.0));
}

using maybe = std::optional<candidate>;

// Returns the share of the busiest part of the multiprocessor that was collected.
double busiest_share(const kernel_counters& n) {
  return std::max({n.sm.value_or(0), n.l1.value_or(0), n.lsu.value_or(0), n.shared.value_or(0)});
}

// Multiprocessors that are busy but neither compute nor move much. Profilers' guides call such kernels
// compute-bound; they may be so where the arithmetic was not counted.
outcome k3_on_chip(const evidence& e, const rule& r) {
  bool untold = false;
  auto out = each_counted(e, [&](const judged_kernel& k, const kernel_counters& n) -> maybe {
    const auto& f = k.verdict.figures;
    if (busiest_share(n) < r.limit("sm") || !f.d || *f.d >= r.limit("dram")) return {};
    untold = untold || !f.f;
    if (!f.f || *f.f >= r.limit("compute")) return {};
    auto c = about_kernel(e, k, part_of(k, 1 - std::max(*f.f, *f.d)));
    c.words["sm"] = share_text(busiest_share(n));
    c.words["compute"] = share_text(*f.f);
    c.words["dram"] = share_text(*f.d);
    return c;
  });
  if (untold) out.missing.emplace_back("arithmetic");
  return out;
}

outcome k7_occupancy(const evidence& e, const rule& r) {
  return each_counted(e, [&](const judged_kernel& k, const kernel_counters& n) -> maybe {
    if (k.verdict.limit != kernel_limit::latency || !n.occupancy_theoretical) return {};
    const auto theory = *n.occupancy_theoretical, reached = n.occupancy.value_or(theory);
    auto c = about_kernel(e, k, part_of(k, 1 - reached));
    if (theory < r.limit("theoretical")) {
      const auto by =
          n.occupancy_limits.empty() ? std::string("its launch") : n.occupancy_limits.front().name;
      c.words["what"] = fmt::format("at most {} of the warps fit: {} is the limit", share_text(theory), by);
      c.words["advice"] = fmt::format("Use less of {}: smaller blocks or tiles, launch bounds.", by);
    } else if (theory - reached > r.limit("points")) {
      c.words["what"] =
          fmt::format("{} of the warps could be there, {} are", share_text(theory), share_text(reached));
      c.words["advice"] = "Even out blocks and their work; launch enough of them.";
    } else {
      return {};
    }
    return c;
  });
}

struct request {
  const char* kind;
  std::optional<double> sectors;
};

outcome k8_uncoalesced(const evidence& e, const rule& r) {
  return each_counted(e, [&](const judged_kernel& k, const kernel_counters& n) -> maybe {
    const request worst = n.store_sectors_per_request.value_or(0) > n.load_sectors_per_request.value_or(0)
                              ? request{"store", n.store_sectors_per_request}
                              : request{"load", n.load_sectors_per_request};
    const auto ideal = n.sectors_per_request_needed.value_or(r.limit("ideal"));
    if (!worst.sectors || *worst.sectors <= r.limit("ratio") * ideal) return {};
    auto c = about_kernel(e, k, part_of(k, 1 - ideal / *worst.sectors));
    c.words["sectors"] = fmt::format("{:.1f}", *worst.sectors);
    c.words["kind"] = worst.kind;
    c.words["ideal"] = fmt::format("{:.1f}", ideal);
    return c;
  });
}

outcome k9_bank_conflicts(const evidence& e, const rule& r) {
  return each_counted(e, [&](const judged_kernel& k, const kernel_counters& n) -> maybe {
    if (n.bank_conflict_share.value_or(0) < r.limit("share")) return {};
    auto c = about_kernel(e, k, part_of(k, *n.bank_conflict_share));
    c.words["share_of"] = share_text(*n.bank_conflict_share);
    return c;
  });
}

outcome k10_divergence(const evidence& e, const rule& r) {
  constexpr double warp = 32;
  return each_counted(e, [&](const judged_kernel& k, const kernel_counters& n) -> maybe {
    if (!n.active_threads || *n.active_threads >= r.limit("threads")) return {};
    auto c = about_kernel(e, k, part_of(k, 1 - *n.active_threads / warp));
    c.words["threads"] = fmt::format("{:.1f}", *n.active_threads);
    c.words["warp"] = fmt::format("{:g}", warp);
    return c;
  });
}

// n operations outside of multiply-adds become n / 2 inside: half of their share is saved at most.
outcome k14_unfused(const evidence& e, const rule& r) {
  return each_counted(e, [&](const judged_kernel& k, const kernel_counters& n) -> maybe {
    if (!n.fused_share) return {};
    const auto saves = (1 - *n.fused_share) / 2;
    if (saves <= r.limit("half_share")) return {};
    auto c = about_kernel(e, k, part_of(k, saves));
    c.words["unfused"] = share_text(1 - *n.fused_share);
    c.words["saves"] = share_text(saves);
    return c;
  });
}

outcome k15_doubles(const evidence& e, const rule& r) {
  return each_counted(e, [&](const judged_kernel& k, const kernel_counters& n) -> maybe {
    const auto fp64 = n.fp64_flops.value_or(0),
               all = fp64 + n.fp32_flops.value_or(0) + n.fp16_flops.value_or(0);
    const auto share = all > 0 ? fp64 / all : 0;
    if (share < r.limit("low") || share > r.limit("high")) return {};
    auto c = about_kernel(e, k, part_of(k, n.fp64_pipe.value_or(share)));
    c.words["fp64"] = share_text(share);
    return c;
  });
}

outcome k16_imbalance(const evidence& e, const rule& r) {
  return each_counted(e, [&](const judged_kernel& k, const kernel_counters& n) -> maybe {
    if (n.sm_imbalance.value_or(0) <= r.limit("ratio")) return {};
    auto c = about_kernel(e, k, part_of(k, 1 - 1 / *n.sm_imbalance));
    c.words["ratio"] = times_text(*n.sm_imbalance);
    return c;
  });
}

// Bytes that a kernel loads once must be loaded in any order of its work. Only bytes that it loads repeatedly
// although L2 could hold them are lost.
outcome k17_locality(const evidence& e, const rule& r) {
  bool untold = false;
  auto out = each_counted(e, [&](const judged_kernel& k, const kernel_counters& n) -> maybe {
    const auto dram = k.verdict.figures.d;
    const auto moved = n.dram_bytes();
    if (!n.l2_hit || *n.l2_hit >= r.limit("hit") || !dram || *dram < r.limit("dram") || !moved) return {};
    untold = untold || k.footprint <= 0;
    if (k.footprint <= 0 || k.footprint > r.limit("l2_bytes") || *moved < r.limit("reload") * k.footprint)
      return {};
    auto c = about_kernel(e, k, part_of(k, 1 - k.footprint / *moved));
    c.words["hit"] = share_text(*n.l2_hit);
    c.words["dram"] = share_text(*dram);
    c.words["moved"] = bytes_text(*moved);
    c.words["footprint"] = bytes_text(k.footprint);
    return c;
  });
  if (untold) out.missing.emplace_back("footprint");
  return out;
}

outcome t9_regime(const evidence& e, const rule& r) {
  return each_counted(e, [&](const judged_kernel& k, const kernel_counters& n) -> maybe {
    if (!n.duration_s || n.work == none || k.time_ns <= 0) return {};
    const auto ratio = *n.duration_s * 1e9 / static_cast<double>(k.time_ns);
    if (ratio <= r.limit("ratio")) return {};
    auto c = about_kernel(e, k, 0);
    c.words["counted"] = time_text(static_cast<nanoseconds>(*n.duration_s * 1e9));
    c.words["timeline"] = time_text(k.time_ns);
    c.words["ratio"] = times_text(ratio);
    return c;
  });
}

constexpr bound_detector counter_rules[] = {
    {"K3", k3_on_chip},      {"K7", k7_occupancy}, {"K8", k8_uncoalesced}, {"K9", k9_bank_conflicts},
    {"K10", k10_divergence}, {"K14", k14_unfused}, {"K15", k15_doubles},   {"K16", k16_imbalance},
    {"K17", k17_locality},   {"T9", t9_regime}};

}  // namespace

std::span<const bound_detector> counter_detectors() { return counter_rules; }

}  // namespace ridge::trace
