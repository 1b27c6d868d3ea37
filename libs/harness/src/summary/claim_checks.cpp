// SPDX-License-Identifier: Apache-2.0
#include "summary/claim_checks.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/stats/median.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

using model::check;
using model::outcome;

// A reference that observes this share of its calls' time observes the calls.
constexpr double whole_from = 0.9, whole_to = 1.05;
constexpr double less_covered_by = 0.15;
constexpr double more_useful_by = 1.1;
constexpr double least_of_arrays = 0.9;
constexpr double least_of_work = 0.125;  // an experiment may read a part of its arrays
// Traffic that is so much more should show in the time.
constexpr double much_more_traffic = 2, hardly_longer = 1.2;
constexpr double slower_than_oracle = 1.75, shortest_compared_s = 20e-6;
constexpr double slower_than_oracle_uncached = 3;
constexpr std::size_t elements_that_tell = 1024;
constexpr double far_below = 1024;

const variant_facts& variant_of(std::size_t arm, const family_evidence& e) {
  return e.definition.variants[e.arms.arm(arm).variant];
}

const model::measurement& seen_of(std::size_t arm, const model::family& f, const family_evidence& e) {
  return f.measurements[e.measurement_of[arm]];
}

double seconds_of(const model::measurement& m) {
  const auto found = std::ranges::find(m.metrics, "time", [](const auto& x) { return x.metric.name; });
  return found == m.metrics.end() ? 0 : found->median;
}

// Where the reference observes its whole calls, the candidate has to, and as often.
check observed_spans(const pairing_result& r, const family_evidence& e, std::size_t id) {
  const auto& readings = e.arms.readings();
  const double reference = stats::median(readings.coverage(r.pairing.reference, id));
  const double candidate = stats::median(readings.coverage(r.pairing.candidate, id));
  check c{.id = "spans", .result = outcome::pass, .value = candidate, .limit = reference, .unit = "1"};
  c.evidence = fmt::format("{} observes {:.0f} % of the time of its calls, {} {:.0f} %",
                           variant_of(r.pairing.candidate, e).name, 100 * candidate,
                           variant_of(r.pairing.reference, e).name, 100 * reference);
  if (reference < whole_from || reference > whole_to) {
    c.result = outcome::skipped;
    c.evidence += ": what a part of a call takes is known to the body alone";
    return c;
  }
  const auto [least, most] = std::ranges::minmax(readings.values_per_call(r.pairing.reference, id));
  const auto [fewest, largest] = std::ranges::minmax(readings.values_per_call(r.pairing.candidate, id));
  if (candidate < reference - less_covered_by) {
    c.result = outcome::fail;
  } else if (least == most && (fewest < least || largest > most)) {
    c.result = outcome::fail;
    c.evidence =
        fmt::format("{} {} values: it observes {:.3g} a call in a sample, and {} always {:.3g}",
                    variant_of(r.pairing.candidate, e).name, fewest < least ? "leaves out" : "splits",
                    fewest < least ? fewest : largest, variant_of(r.pairing.reference, e).name, least);
  }
  return c;
}

// The same question needs the same useful time, unless the call as a whole gets shorter.
check marked_phases(const model::comparison& c, const pairing_result& r, const model::family& f,
                    const family_evidence& e, std::size_t phase) {
  const auto useful_s = [&](std::size_t arm) {
    return stats::median(e.arms.readings().phases(arm, phase)) * seconds_of(seen_of(arm, f, e));
  };
  const double reference = useful_s(r.pairing.reference), candidate = useful_s(r.pairing.candidate);
  check made{.id = "spans",
             .result = outcome::pass,
             .value = candidate,
             .limit = more_useful_by * reference,
             .unit = "s",
             .evidence = fmt::format("{} marks {:.3g} us of a call, {} {:.3g} us",
                                     variant_of(r.pairing.candidate, e).name, candidate * 1e6,
                                     variant_of(r.pairing.reference, e).name, reference * 1e6)};
  const bool better = c.verdict == model::verdict::better;
  if (better && candidate > more_useful_by * reference) {
    made.result = outcome::warn;
    made.evidence += ": the gain is in what is marked, not in the time";
  }
  return made;
}

check spans_check(const model::comparison& c, const pairing_result& r, const model::family& f,
                  const family_evidence& e) {
  const auto& metric = e.arms.metric_list()[r.metric];
  if (r.pairing.judged && metric.reading == reading::quantile) return observed_spans(r, e, metric.id);
  if (r.pairing.judged && metric.reading == reading::phase_share) return marked_phases(c, r, f, e, metric.id);
  return {.id = "spans", .result = outcome::pass, .evidence = "nothing is judged that bodies report"};
}

// Seconds of the arm's shortest call.
double least_seconds(std::size_t arm, const family_evidence& e) {
  const auto& record = e.session.arms[arm];
  if (record.seconds.empty()) return 0;
  return std::ranges::min(record.seconds) / static_cast<double>(record.iterations);
}

// How many times as long as the other's the arm's calls take: by their least and by their median seconds, of
// which one lucky call changes only the former, and the lesser of both.
double times_as_long(std::size_t arm, std::size_t other, const family_evidence& e) {
  const auto median_seconds = [&](std::size_t one) {
    const auto& record = e.session.arms[one];
    return record.seconds.empty() ? 0
                                  : stats::median(record.seconds) / static_cast<double>(record.iterations);
  };
  constexpr double no_time_s = 1e-12;
  return std::min(least_seconds(arm, e) / std::max(least_seconds(other, e), no_time_s),
                  median_seconds(arm) / std::max(median_seconds(other), no_time_s));
}

// Why the traffic that the arm states cannot be right beside that of the other; empty where it may be.
std::string doubt_of_traffic(std::size_t arm, std::size_t other, const model::family& f,
                             const family_evidence& e) {
  const auto& facts = variant_of(arm, e);
  if (!facts.states_traffic) return {};
  const auto& own = seen_of(arm, f, e);
  const auto& theirs = seen_of(other, f, e);
  const auto stated = format_quantity(own.bytes_moved, "B");
  if (!facts.stages && own.bytes_moved < least_of_arrays * e.array_bytes)
    return fmt::format("{} states {} of traffic, and its arrays hold {}", facts.name, stated,
                       format_quantity(e.array_bytes, "B"));
  if (variant_of(other, e).stages || theirs.bytes_moved <= 0) return {};
  const double more = own.bytes_moved / theirs.bytes_moved;
  const double longer = times_as_long(arm, other, e);
  if (more <= much_more_traffic || longer >= hardly_longer) return {};
  return fmt::format("{} states {} of traffic, {:.3g} times that of {}, in {:.3g} times its time", facts.name,
                     stated, more, theirs.variant, longer);
}

check traffic_check(const pairing_result& r, const model::family& f, const family_evidence& e) {
  check c{.id = "traffic", .result = outcome::pass, .evidence = "the stated traffic may be right"};
  const auto reference = r.pairing.reference, candidate = r.pairing.candidate;
  for (const auto& [arm, other] : {std::pair{reference, candidate}, {candidate, reference}}) {
    const auto doubt = doubt_of_traffic(arm, other, f, e);
    if (doubt.empty() || c.result != outcome::pass) continue;
    const auto& reason = variant_of(arm, e).traffic_reason;
    c.result = reason.empty() ? outcome::warn : outcome::pass;
    c.evidence = doubt + ": " + (reason.empty() ? "correct .traffic, or state .traffic_reason" : reason);
  }
  return c;
}

// Operations a second of one thread that no processor does.
double impossible_rate(arithmetic type) {
  constexpr double fp32_of_a_core = 6e9 * 2 * 32;  // two vectors of 16 multiply-adds a cycle
  switch (type) {
    case arithmetic::fp64:
      return fp32_of_a_core / 2;
    case arithmetic::fp32:
      return fp32_of_a_core;
    default:
      return 64 * fp32_of_a_core;  // matrix units
  }
}

check work_check(const pairing_result& r, const model::family& f, const family_evidence& e) {
  const auto stated = e.definition.work(e.point);
  check c{
      .id = "work",
      .result = outcome::pass,
      .evidence = fmt::format("stated by the experiment for all variants: {}, {}",
                              format_quantity(stated.flop, "FLOP"), format_quantity(stated.bytes(), "B"))};
  if (stated.bytes() > 0 && stated.bytes() < least_of_work * e.array_bytes) {
    c.result = outcome::warn;
    c.evidence += fmt::format("; the arrays hold {}", format_quantity(e.array_bytes, "B"));
  }
  // A candidate may find a way around the work.
  const auto& facts = variant_of(r.pairing.reference, e);
  const auto& seen = seen_of(r.pairing.reference, f, e);
  const double seconds = seconds_of(seen);
  const bool on_cpu = facts.backend == model::backend::cpu && seconds > 0;
  if (on_cpu && stated.flop / seconds > impossible_rate(facts.arithmetic) * std::max(seen.threads, 1)) {
    c.result = outcome::fail;
    c.evidence +=
        fmt::format("; {} would do {}", facts.name, format_quantity(stated.flop / seconds, "FLOP/s"));
  }
  return c;
}

// The least roundoff of the types that arrays hold; 1 where none is of floating point.
double finest_roundoff(const family_evidence& e) {
  double finest = 1;
  for (const auto type : e.array_types) {
    if (type == dtype::fp64) finest = std::min(finest, unit_roundoff(arithmetic::fp64));
    if (type == dtype::fp32) finest = std::min(finest, unit_roundoff(arithmetic::fp32));
    if (type == dtype::fp16) finest = std::min(finest, unit_roundoff(arithmetic::fp16));
    if (type == dtype::bf16) finest = std::min(finest, unit_roundoff(arithmetic::bf16));
  }
  return finest;
}

check arithmetic_check(const pairing_result& r, const model::family& f, const family_evidence& e) {
  check c{.id = "arithmetic", .result = outcome::pass, .evidence = "the stated types may be right"};
  const double finest = finest_roundoff(e);
  for (const auto arm : {r.pairing.reference, r.pairing.candidate}) {
    const auto& facts = variant_of(arm, e);
    const double own = unit_roundoff(facts.arithmetic), error = seen_of(arm, f, e).max_rel_error;
    const bool narrow = own > finest && facts.arithmetic != arithmetic::int8 && finest < 1;
    if (c.result != outcome::pass || !facts.explanation.empty()) continue;
    if (own < finest && finest < 1) {
      c.result = outcome::warn;
      c.evidence = fmt::format(
          "{} states {} arithmetic on arrays that are not so precise: correct "
          ".arithmetic, or state .explanation",
          facts.name, name(facts.arithmetic));
    } else if (narrow && e.verified_elements >= elements_that_tell && error < own / far_below) {
      c.result = outcome::warn;
      c.evidence = fmt::format(
          "{} states {} arithmetic and errs by {:.3g} only: correct .arithmetic, or state "
          ".explanation",
          facts.name, name(facts.arithmetic), error);
    }
  }
  return c;
}

bool is_of_time(reading read) {
  return read == reading::time || read == reading::items_per_second || read == reading::flop_per_second ||
         read == reading::bytes_per_second;
}

// The oracle is plain code of one thread; least times are compared, which neighbours disturb least.
check baseline_check(const pairing_result& r, const family_evidence& e) {
  check c{.id = "baseline", .unit = "1"};
  const auto& facts = variant_of(r.pairing.reference, e);
  const double seconds = least_seconds(r.pairing.reference, e);
  if (!r.pairing.judged || facts.is != model::role::baseline || e.oracle_s <= 0 || e.has_inouts ||
      seconds < shortest_compared_s || !e.arms.sampling().facts().on_this_thread ||
      !is_of_time(e.arms.metric_list()[r.metric].reading)) {
    c.evidence = "there is no time of an oracle to hold it against";
    return c;
  }
  c.result = outcome::pass;
  c.value = seconds / e.oracle_s;
  // The oracle's data have just been drawn; those of a call may have left the caches since.
  const bool leaves_caches = e.array_bytes > static_cast<double>(near_cache_bytes(*e.equipment.device));
  c.limit = leaves_caches ? slower_than_oracle_uncached : slower_than_oracle;
  c.evidence = fmt::format("{} takes {:.3g} times as long as the oracle", facts.name, *c.value);
  if (*c.value <= *c.limit) return c;
  const auto& said = facts.explanation.empty() ? facts.idea : facts.explanation;
  if (!said.empty() || facts.pedagogy) {
    c.evidence += said.empty() ? ": it is for teaching" : ": " + said;
    return c;
  }
  c.result = outcome::warn;
  c.evidence += ": say in .idea or .explanation what it does that the oracle need not";
  return c;
}

}  // namespace

std::vector<check> claim_checks(const model::comparison& c, const pairing_result& r, const model::family& f,
                                const family_evidence& e) {
  return {spans_check(c, r, f, e), traffic_check(r, f, e), work_check(r, f, e), arithmetic_check(r, f, e),
          baseline_check(r, e)};
}

}  // namespace ridge::harness
