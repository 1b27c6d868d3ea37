// SPDX-License-Identifier: Apache-2.0
#include "rules/kernel_symptoms.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace ridge::trace {
namespace {

class symptom_collector {
 public:
  symptom_collector(const kernel_counters& c, const kernel_verdict& verdict, const verdict_context& context)
      : c_(c), verdict_(verdict), context_(context) {}

  std::vector<symptom> all() && {
    accesses();
    conflicts();
    instructions();
    occupancy();
    trust();
    return std::move(found_);
  }

 private:
  void add(kernel_symptom symptom, double value, std::string text) {
    found_.push_back({symptom, value, std::move(text)});
  }

  // A coalesced request of 16 bytes per thread, the widest access, touches 16 sectors; where the width is not
  // known only a larger number is certain to be uncoalesced.
  void accesses() {
    const auto needed = c_.sectors_per_request_needed.value_or(16);
    const auto side = [&](std::optional<double> sectors, std::string_view which) {
      if (sectors && *sectors > 1.5 * needed)
        add(kernel_symptom::uncoalesced, *sectors,
            fmt::format("{} {:.1f} sectors/request, at most {:.0f} needed", which, *sectors, needed));
    };
    side(c_.load_sectors_per_request, "load");
    side(c_.store_sectors_per_request, "store");
    if (c_.bytes_per_sector && *c_.bytes_per_sector < 16)
      add(kernel_symptom::uncoalesced, *c_.bytes_per_sector,
          fmt::format("{:.1f} of 32 bytes used of a sector", *c_.bytes_per_sector));
    if (c_.l2_hit && *c_.l2_hit < 0.5 && verdict_.figures.d.value_or(0) >= 0.4 &&
        verdict_.limit != kernel_limit::dram)
      add(kernel_symptom::poor_l2_locality, *c_.l2_hit,
          fmt::format("L2 hit rate {:.1f} %", *c_.l2_hit * 100));
    const auto spilled = c_.spill_bytes.value_or(0);
    if (spilled > 0)
      add(kernel_symptom::spills, spilled, fmt::format("{:.3g} bytes of local memory moved", spilled));
  }

  void conflicts() {
    constexpr double many = 0.1;
    if (c_.bank_conflict_share && *c_.bank_conflict_share >= many)
      return add(
          kernel_symptom::bank_conflicts, *c_.bank_conflict_share,
          fmt::format("{:.0f} % of shared-memory wavefronts are conflicts", *c_.bank_conflict_share * 100));
    const auto& peaks = context_.peaks;
    const auto clock = c_.clock_hz.value_or(peaks.clock_hz);
    if (c_.bank_conflict_share || !c_.bank_conflicts || !c_.duration_s || peaks.sms <= 0 || clock <= 0)
      return;
    const auto cycles = *c_.duration_s * clock * peaks.sms;
    const auto share = cycles > 0 ? *c_.bank_conflicts / cycles : 0;
    if (share >= many)
      add(kernel_symptom::bank_conflicts, share,
          fmt::format("bank conflicts take {:.0f} % of all cycles", share * 100));
  }

  void instructions() {
    if (c_.active_threads && *c_.active_threads < 24)
      add(kernel_symptom::divergence, *c_.active_threads,
          fmt::format("{:.1f} of 32 threads active", *c_.active_threads));
    // A multiply and an add that fuse are one instruction instead of two.
    if (c_.fused_share && (1 - *c_.fused_share) / 2 > 0.1)
      add(kernel_symptom::unfused_math, 1 - *c_.fused_share,
          fmt::format("{:.0f} % of fp32 instructions are not fused", (1 - *c_.fused_share) * 100));
    if (c_.fp64_flops.value_or(0) > 0 && c_.fp64_pipe.value_or(0) >= 0.2)
      add(kernel_symptom::fp64_use, *c_.fp64_pipe, fmt::format("fp64 pipe {:.0f} %", *c_.fp64_pipe * 100));
    if (c_.sm_imbalance && *c_.sm_imbalance > 1.2)
      add(kernel_symptom::imbalance, *c_.sm_imbalance,
          fmt::format("the busiest multiprocessor is active {:.2f} times the mean", *c_.sm_imbalance));
    if (c_.threads_per_block > 0 && std::fmod(c_.threads_per_block, 32) != 0)
      add(kernel_symptom::odd_block, c_.threads_per_block,
          fmt::format("{:.0f} threads per block", c_.threads_per_block));
  }

  // High occupancy is no goal by itself, so low occupancy counts only for kernels bound by latency.
  void occupancy() {
    if (!c_.occupancy_theoretical) return;
    const auto theoretical = *c_.occupancy_theoretical;
    if (theoretical < 0.8 && verdict_.limit == kernel_limit::latency)
      add(kernel_symptom::low_occupancy, theoretical,
          fmt::format("theoretical occupancy {:.0f} %{}", theoretical * 100,
                      c_.occupancy_limits.empty() ? "" : ", limited by " + c_.occupancy_limits.front().name));
    if (c_.occupancy && theoretical - *c_.occupancy > 0.1)
      add(kernel_symptom::uneven_occupancy, *c_.occupancy,
          fmt::format("achieved occupancy {:.0f} % of {:.0f} %", *c_.occupancy * 100, theoretical * 100));
  }

  void trust() {
    const auto& f = verdict_.figures;
    const auto most = std::max({f.f.value_or(0), f.d.value_or(0), f.l.value_or(0), f.s.value_or(0)});
    if (most > 1.05) add(kernel_symptom::above_peak, most, fmt::format("{:.0f} % of a peak", most * 100));
    if (!context_.timeline_s || !c_.duration_s || *context_.timeline_s <= 0 || *c_.duration_s <= 0) return;
    const auto ratio = *c_.duration_s / *context_.timeline_s;
    if (ratio > 2 || ratio < 0.5)
      add(kernel_symptom::wrong_regime, ratio,
          fmt::format("profiled time is {:.2f} times that on the timeline", ratio));
  }

  const kernel_counters& c_;
  const kernel_verdict& verdict_;
  const verdict_context& context_;
  std::vector<symptom> found_{};
};

}  // namespace

std::vector<symptom> symptoms_of(const kernel_counters& c, const kernel_verdict& verdict,
                                 const verdict_context& context) {
  return symptom_collector(c, verdict, context).all();
}

}  // namespace ridge::trace
