// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/verdict.hpp>

#include <algorithm>
#include <cmath>

namespace ridge::harness {
using model::verdict;

verdict judge(interval ratio, double effect) {
  const interval same{1 / (1 + effect), 1 + effect};
  const interval small{1 / (1 + 2 * effect), 1 + 2 * effect};
  if (ratio.lo > same.hi) return verdict::better;
  if (ratio.hi < same.lo) return verdict::worse;
  if (ratio.within(same)) return verdict::equivalent;
  if (!ratio.contains(1) && ratio.within(small)) return verdict::different_but_small;
  return verdict::inconclusive;
}

verdict above_noise(verdict v, double ratio, interval noise) {
  if (v != verdict::better && v != verdict::worse) return v;
  const bool known = noise.lo > 0 && std::isfinite(noise.hi);
  if (!known) return v;
  const double floor = std::max(std::fabs(std::log(noise.lo)), std::fabs(std::log(noise.hi)));
  return std::fabs(std::log(ratio)) > floor ? v : verdict::inconclusive;
}

bool settled(verdict v) { return v == verdict::better || v == verdict::worse || v == verdict::equivalent; }

}  // namespace ridge::harness
