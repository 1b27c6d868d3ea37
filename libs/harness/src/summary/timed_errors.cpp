// SPDX-License-Identifier: Apache-2.0
#include "summary/timed_errors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/harness/verdict.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

// The largest of many errors hardly grows with their number; that of a few does.
constexpr std::size_t many_elements = 1024;
constexpr double larger_at_most = 2, larger_at_most_of_few = 16;
constexpr double roundings_allowed = 4;

// The error that timed results may have where verification found `verified`.
double most_error_when_timed(double verified, std::size_t compared, arithmetic type) {
  const double factor = compared >= many_elements ? larger_at_most : larger_at_most_of_few;
  return factor * verified + roundings_allowed * unit_roundoff(type);
}

void restate_pairing(pairing_result& r, const std::vector<double>& values, double min_effect) {
  const double reference = values[r.pairing.reference], candidate = values[r.pairing.candidate];
  if (reference <= 0 || candidate <= 0 || r.estimate.pairs == 0) return;
  const double ratio = reference / candidate;
  r.estimate.ratio = r.hodges_lehmann = r.ratio_unmarked = ratio;
  r.estimate.ci = {ratio, ratio};
  if (r.pairing.judged) r.verdict = judge(r.estimate.ci, min_effect);
}

}  // namespace

double larger_relative_error(const model::measurement& verified, const timed_error& timed) {
  return std::max(verified.max_rel_error, timed.max_rel);
}

void restate(session_record& record, const std::vector<metric>& metrics, reading read,
             const std::vector<double>& values, double min_effect) {
  for (std::size_t k = 0; k < metrics.size(); ++k) {
    if (metrics[k].reading != read) continue;
    for (std::size_t arm = 0; arm < record.arms.size(); ++arm)
      std::ranges::fill(record.arms[arm].values[k], values[arm]);
    for (auto& r : record.results) {
      if (r.metric == k) restate_pairing(r, values, min_effect);
    }
  }
}

// The median over calls is judged: where a function jumps, as at the kink of a rectifier, single results of
// right code are far off.
model::check error_check(const pairing_result& r, const model::family& f, const family_evidence& e) {
  model::check c{.id = "error", .result = model::outcome::pass, .unit = ""};
  for (const auto arm : {r.pairing.reference, r.pairing.candidate}) {
    const auto& timed = e.rechecked.errors[arm];
    const auto& facts = e.definition.variants[e.arms.arm(arm).variant];
    const double verified = f.measurements[e.measurement_of[arm]].max_rel_error;
    const double limit =
        most_error_when_timed(verified, std::min(timed.compared, e.verified_elements), facts.arithmetic);
    if (c.result == model::outcome::fail || timed.of_calls.empty()) continue;
    c.value = stats::median(timed.of_calls);
    c.limit = limit;
    c.evidence = fmt::format(
        "{} errs by {:.3g} in the median of its timed calls and by {:.3g} at most, by {:.3g} when it is "
        "verified",
        facts.name, *c.value, timed.max_rel, verified);
    if (*c.value > limit) c.result = model::outcome::fail;
  }
  if (c.evidence.empty()) {
    c.result = model::outcome::skipped;
    c.evidence = "no timed result was compared element by element";
  }
  return c;
}

}  // namespace ridge::harness
