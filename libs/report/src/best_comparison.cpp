// SPDX-License-Identifier: Apache-2.0
#include "best_comparison.hpp"

#include <cmath>

#include <ridge/report/words.hpp>

namespace ridge::report {
namespace {

// Returns how well a comparison stands for its family: a claim of the experiment before one against
// teaching code or of a library, and any of these before a result that is not valid.
int rank(const model::family& family, const model::comparison& c) {
  const auto* candidate = find(family, c.candidate);
  const bool own = candidate == nullptr || candidate->role != model::role::comparator;
  const bool valid = c.verdict != model::verdict::invalid && std::isfinite(c.ratio);
  return (c.judged ? 8 : 0) + (valid ? 4 : 0) + (own ? 2 : 0) + (c.headline ? 1 : 0);
}

}  // namespace

const model::comparison* best_of(const model::family& family) {
  const auto baseline = baseline_of(family);
  const auto primary = primary_metric(family).name;
  const model::comparison* best = nullptr;
  for (const auto& c : family.comparisons) {
    if (c.reference != baseline || c.metric.name != primary) continue;
    const int mine = rank(family, c), other = best ? rank(family, *best) : -1;
    if (mine > other || (mine == other && c.ratio > best->ratio)) best = &c;
  }
  return best;
}

}  // namespace ridge::report
