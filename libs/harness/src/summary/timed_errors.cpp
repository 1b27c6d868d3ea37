// SPDX-License-Identifier: Apache-2.0
#include "summary/timed_errors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/harness/verdict.hpp>

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

void restate_pairing(pairing_result& r, const std::vector<restated>& arms, double min_effect) {
  const auto &reference = arms[r.pairing.reference], &candidate = arms[r.pairing.candidate];
  if (reference.value <= 0 || candidate.value <= 0 || r.estimate.pairs == 0) return;
  const double ratio = reference.value / candidate.value;
  r.estimate.ratio = r.hodges_lehmann = r.ratio_unmarked = ratio;
  r.estimate.ci = {reference.value / (candidate.value + candidate.overlooked),
                   (reference.value + reference.overlooked) / candidate.value};
  if (r.pairing.judged) r.verdict = judge(r.estimate.ci, min_effect);
}

}  // namespace

double larger_relative_error(const model::measurement& verified, const timed_error& timed) {
  return std::max(verified.max_rel_error, timed.max_rel);
}

void restate(session_record& record, const std::vector<metric>& metrics, reading read,
             const std::vector<restated>& arms, double min_effect) {
  for (std::size_t k = 0; k < metrics.size(); ++k) {
    if (metrics[k].reading != read) continue;
    for (std::size_t arm = 0; arm < record.arms.size(); ++arm)
      std::ranges::fill(record.arms[arm].values[k], arms[arm].value);
    for (auto& r : record.results) {
      if (r.metric == k) restate_pairing(r, arms, min_effect);
    }
  }
}

std::optional<double> typical_error(std::vector<double> of_calls) {
  if (of_calls.size() < 2) return std::nullopt;
  const auto middle = of_calls.begin() + static_cast<std::ptrdiff_t>((of_calls.size() - 1) / 2);
  std::ranges::nth_element(of_calls, middle);
  return *middle;
}

model::check error_check(const pairing_result& r, const model::family& f, const family_evidence& e) {
  model::check c{.id = "error", .result = model::outcome::pass, .unit = ""};
  for (const auto arm : {r.pairing.reference, r.pairing.candidate}) {
    const auto& timed = e.rechecked.errors[arm];
    const auto& facts = e.definition.variants[e.arms.arm(arm).variant];
    const double verified = f.measurements[e.measurement_of[arm]].max_rel_error;
    const double limit =
        most_error_when_timed(verified, std::min(timed.compared, e.verified_elements), facts.arithmetic);
    const auto typical = typical_error(timed.of_calls);
    if (c.result == model::outcome::fail || !typical) continue;
    c.value = typical;
    c.limit = limit;
    c.evidence = fmt::format(
        "{} errs by {:.3g} in the median of its timed calls and by {:.3g} at most, by {:.3g} when it is "
        "verified",
        facts.name, *c.value, timed.max_rel, verified);
    if (*c.value > limit) c.result = model::outcome::fail;
  }
  if (c.evidence.empty()) {
    c.result = model::outcome::skipped;
    c.evidence = "fewer than two timed calls were compared element by element";
  }
  return c;
}

}  // namespace ridge::harness
