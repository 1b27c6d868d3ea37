// SPDX-License-Identifier: Apache-2.0
#include "steps.hpp"

#include <algorithm>

#include <ridge/results/timed.hpp>

#include "ladders.hpp"

namespace ridge::analyses::stacking {
namespace {

// A declared variant that was measured.
struct measured_variant {
  const declared_variant* declared = nullptr;
  const model::latest_measurement* measured = nullptr;
};

std::vector<measured_variant> measured_variants(const model::workload_result& seen) {
  std::vector<measured_variant> all;
  const auto deciding = results::deciding(seen);
  for (const auto& d : declared_variants()) {
    if (d.experiment != seen.workload.experiment || d.backend != seen.workload.backend) continue;
    const auto found =
        std::ranges::find_if(deciding, [&](const auto* m) { return m->series.variant == d.variant; });
    if (found != deciding.end() && (*found)->point.median > 0 && !results::is_invalid(seen, d.variant))
      all.push_back({&d, *found});
  }
  return all;
}

measured_gain gain_of(const model::workload_result& seen, const measured_variant& with,
                      const measured_variant& without) {
  const auto& a = with.measured->series;
  const auto& b = without.measured->series;
  if (const auto pairs = results::ratio_of(seen, a.variant, b.variant))
    return {pairs->ratio, pairs->ci, true};
  const auto &x = with.measured->point, &y = without.measured->point;
  if (a.metric.better == model::better::lower)
    return {y.median / x.median, {y.ci.lo / x.ci.hi, y.ci.hi / x.ci.lo}, false};
  return {x.median / y.median, {x.ci.lo / y.ci.hi, x.ci.hi / y.ci.lo}, false};
}

// The technique that the second variant uses beyond those of the first; empty where they differ otherwise.
std::string added(const std::set<std::string>& first, const std::set<std::string>& second) {
  if (second.size() != first.size() + 1 || !std::ranges::includes(second, first)) return {};
  std::vector<std::string> more;
  std::ranges::set_difference(second, first, std::back_inserter(more));
  return more.front();
}

}  // namespace

std::vector<step> steps_of(const model::workload_result& seen) {
  const auto variants = measured_variants(seen);
  std::vector<step> all;
  for (const auto& without : variants) {
    for (const auto& with : variants) {
      auto technique = added(without.declared->techniques, with.declared->techniques);
      if (technique.empty()) continue;
      all.push_back({.seen = &seen,
                     .adds = std::move(technique),
                     .on_top_of = without.declared->techniques,
                     .from_variant = without.declared->variant,
                     .up_to_variant = with.declared->variant,
                     .gain = gain_of(seen, with, without)});
    }
  }
  for (auto& one : all) {
    if (one.on_top_of.empty()) continue;
    const auto alone = std::ranges::find_if(
        all, [&](const step& other) { return other.adds == one.adds && other.on_top_of.empty(); });
    if (alone != all.end()) one.alone = alone->gain;
  }
  return all;
}

}  // namespace ridge::analyses::stacking
