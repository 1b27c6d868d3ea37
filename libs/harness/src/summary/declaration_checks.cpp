// SPDX-License-Identifier: Apache-2.0
#include "summary/declaration_checks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace ridge::harness {
namespace {

using model::check;
using model::outcome;

constexpr double slack_of_tolerance = 4;
constexpr double explained_above = 10;
constexpr double kept_of_gain = 0.5;  // of its logarithm

const variant_facts& facts_of(std::size_t arm, const family_evidence& e) {
  return e.definition.variants[e.arms.arm(arm).variant];
}

tolerance within_of(std::size_t arm, const family_evidence& e) {
  return e.definition.within(e.arms.arm(arm).variant, e.point);
}

// How much looser the tolerance of the candidate is than that of the reference; 1: it is not.
double looser_by(tolerance candidate, tolerance reference) {
  const auto factor = [](double own, double other) {
    return other > 0 ? own / other : own > 0 ? HUGE_VAL : 1.0;
  };
  return std::max({1.0, factor(candidate.abs, reference.abs), factor(candidate.rel, reference.rel)});
}

check tolerance_check(const pairing_result& r, const family_evidence& e) {
  const auto& candidate = facts_of(r.pairing.candidate, e);
  const auto& reference = facts_of(r.pairing.reference, e);
  const double looser = looser_by(within_of(r.pairing.candidate, e), within_of(r.pairing.reference, e));
  const double explained = slack_of_tolerance * std::max(1.0, unit_roundoff(candidate.arithmetic) /
                                                                  unit_roundoff(reference.arithmetic));
  check c{.id = "tolerance", .result = outcome::pass, .value = looser, .limit = explained, .unit = ""};
  if (looser <= 1) {
    c.evidence = "both are compared within the same tolerance";
  } else if (looser <= explained) {
    c.evidence = fmt::format("{} times looser for {}, as its {} arithmetic explains", looser, candidate.name,
                             name(candidate.arithmetic));
  } else if (!candidate.tolerance_reason.empty()) {
    c.result = outcome::warn;
    c.evidence =
        fmt::format("{:.3g} times looser for {}: {}", looser, candidate.name, candidate.tolerance_reason);
  } else {
    c.result = outcome::fail;
    c.evidence = fmt::format(
        "{:.3g} times looser for {}, more than its {} arithmetic explains ({:.3g}): "
        "tighten .within, or state .tolerance_reason",
        looser, candidate.name, name(candidate.arithmetic), explained);
  }
  return c;
}

double time_of(const model::measurement& m) {
  const auto found = std::ranges::find(m.metrics, "time", [](const auto& x) { return x.metric.name; });
  return found == m.metrics.end() ? 0 : found->median;
}

check stage_check(const model::comparison& c, const pairing_result& r, const model::family& f,
                  const family_evidence& e) {
  const auto& candidate = f.measurements[e.measurement_of[r.pairing.candidate]];
  const auto& reference = f.measurements[e.measurement_of[r.pairing.reference]];
  check made{.id = "stage", .result = outcome::pass, .unit = ""};
  if (!candidate.stage_s) {
    made.evidence = "nothing is converted outside the timed calls";
    return made;
  }
  const double counted = (time_of(reference) + reference.stage_s.value_or(0)) /
                         std::max(time_of(candidate) + *candidate.stage_s, 1e-12);
  made.value = counted;
  // What is left of the gain must be more than the noise of the conversion's time.
  made.limit = std::max(1 + e.options.protocol.min_effect, std::pow(std::max(c.ratio, 1.0), kept_of_gain));
  const auto& reason = facts_of(r.pairing.candidate, e).stage_reason;
  const auto said = fmt::format("{:.3g} times as fast with the conversion of its inputs counted ({:.3g} us)",
                                counted, *candidate.stage_s * 1e6);
  if (c.verdict != model::verdict::better || counted > *made.limit) {
    made.evidence = said;
  } else if (!reason.empty()) {
    made.result = outcome::warn;
    made.evidence = fmt::format("{}; not counted: {}", said, reason);
  } else {
    made.result = outcome::fail;
    made.evidence = said + ": the gain is in .stage; move the work into the call, or state .stage_reason";
  }
  return made;
}

check observed_check(const pairing_result& r, const family_evidence& e) {
  const auto reading = e.arms.metric_list()[r.metric].reading;
  const bool reported = reading == reading::quantile || reading == reading::phase_share;
  return {.id = "observed",
          .result = reported ? outcome::warn : outcome::pass,
          .evidence = reported ? "claimed by the variants: the metric is what bodies report about themselves"
                               : "the harness measures the metric"};
}

check speedup_check(const model::comparison& c, const pairing_result& r, const family_evidence& e) {
  check made{
      .id = "speedup", .result = outcome::pass, .value = c.ratio, .limit = explained_above, .unit = ""};
  const auto& explanation = facts_of(r.pairing.candidate, e).explanation;
  if (!r.pairing.judged || c.ratio <= explained_above || c.verdict != model::verdict::better) {
    made.evidence = "no gain above ten times";
  } else if (!explanation.empty()) {
    made.evidence = explanation;
  } else {
    made.result = outcome::warn;
    made.evidence = fmt::format("{:.3g} times better: state where it comes from in .explanation", c.ratio);
  }
  return made;
}

}  // namespace

std::vector<check> declaration_checks(const model::comparison& c, const pairing_result& r,
                                      const model::family& f, const family_evidence& e) {
  return {tolerance_check(r, e), stage_check(c, r, f, e), observed_check(r, e), speedup_check(c, r, e)};
}

}  // namespace ridge::harness
