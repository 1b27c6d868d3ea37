// SPDX-License-Identifier: Apache-2.0
#include "session/pairings.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

double middle(const arm_record& arm) {
  std::vector<double> finite;
  std::ranges::copy_if(arm.values.front(), std::back_inserter(finite),
                       [](double x) { return std::isfinite(x); });
  return finite.empty() ? std::nan("") : stats::median(finite);
}

std::size_t best_of(const std::vector<std::size_t>& own, const std::vector<arm_record>& arms, bool lower) {
  auto best = own.front();
  for (const auto arm : own) {
    const double a = middle(arms[arm]), b = middle(arms[best]);
    if (lower ? a < b : a > b) best = arm;
  }
  return best;
}

struct rivals {
  std::size_t vendor = 0;
  std::vector<std::size_t> own{};
};

// Those of `arms` that `alike` holds for; all of them where it holds for none.
template <class Alike>
std::vector<std::size_t> preferred(const std::vector<std::size_t>& arms, const Alike& alike) {
  std::vector<std::size_t> found;
  std::ranges::copy_if(arms, std::back_inserter(found), alike);
  return found.empty() ? arms : found;
}

// Compares a library with variants of as many threads, and of the same arithmetic, where there are any: a
// product in fp8 says nothing about a library's in bf16.
std::vector<std::size_t> equals_of(std::size_t vendor, const std::vector<std::size_t>& own,
                                   const experiment::definition& definition, const family_arms& arms) {
  const auto arithmetic_of = [&](std::size_t arm) {
    return definition.variants[arms.arm(arm).variant].arithmetic;
  };
  const auto as_many_threads =
      preferred(own, [&](std::size_t arm) { return arms.arm(arm).threads == arms.arm(vendor).threads; });
  return preferred(as_many_threads,
                   [&](std::size_t arm) { return arithmetic_of(arm) == arithmetic_of(vendor); });
}

}  // namespace

family_pairings pairings_of(const experiment::definition& definition, const family_arms& arms) {
  std::vector<std::size_t> own, vendors;
  std::optional<std::size_t> baseline;
  for (std::size_t arm = 0; arm < arms.arms(); ++arm) {
    const auto is = definition.variants[arms.arm(arm).variant].is;
    if (is == role::baseline) baseline = arm;
    if (is == role::optimized) own.push_back(arm);
    if (is == role::comparator) vendors.push_back(arm);
  }
  family_pairings made;
  if (baseline) {
    for (const auto arm : own) made.asked.push_back({*baseline, arm});
  }
  for (std::size_t i = 1; i < own.size(); ++i) made.asked.push_back({own[i - 1], own[i], false});
  if (own.empty() && baseline) own.push_back(*baseline);
  if (own.empty() || vendors.empty()) return made;
  const bool lower = definition.metrics.front().definition.better == model::better::lower;
  std::vector<rivals> matches;
  for (const auto vendor : vendors) matches.push_back({vendor, equals_of(vendor, own, definition, arms)});
  made.late.count = vendors.size();
  made.late.choose = [matches, lower](const std::vector<arm_record>& records) {
    std::vector<pairing> late;
    for (const auto& m : matches) late.push_back({m.vendor, best_of(m.own, records, lower)});
    return late;
  };
  return made;
}

}  // namespace ridge::harness
