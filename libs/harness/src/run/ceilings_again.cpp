// SPDX-License-Identifier: Apache-2.0
#include "run/ceilings_again.hpp"

#include <algorithm>

#include <ridge/stats/quantile.hpp>

#include "summary/ceiling_check.hpp"

namespace ridge::harness {

std::vector<ceiling_reading> read_exceeded_ceilings(const family_state& family, timed_family& timed,
                                                    const session_record& record) {
  auto& arms = timed.arms();
  std::vector<ceiling_reading> all(arms.arms());
  const auto& metrics = arms.metric_list();
  const auto time = std::ranges::find(metrics, "time", [](const metric& m) { return m.definition.name; });
  if (family.equipment.peak == nullptr || !family.equipment.gauge || time == metrics.end()) return all;
  for (std::size_t arm = 0; arm < arms.arms(); ++arm) {
    const auto& seconds = record.arms[arm].values[static_cast<std::size_t>(time - metrics.begin())];
    const auto limit = limit_of(*family.equipment.peak, timed.measurement(arm), family.array_bytes,
                                family.definition.variants[arms.arm(arm).variant].multiplied);
    if (!limit.ceiling || seconds.empty()) continue;
    const auto beside = arms.ceiling(arm);
    const double rate = beside.rate > 0 ? beside.rate : limit.ceiling->value;
    if (limit.share(stats::median(seconds), rate) > most_share_of_ceiling) all[arm] = arms.ceiling_again(arm);
  }
  return all;
}

}  // namespace ridge::harness
