// SPDX-License-Identifier: Apache-2.0
#include "summary/comparison_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/harness/session_checks.hpp>
#include <ridge/measure/gpu_summary.hpp>

#include "run/event_pass.hpp"
#include "summary/ceiling_check.hpp"
#include "summary/claim_checks.hpp"
#include "summary/declaration_checks.hpp"
#include "summary/gpu_checks.hpp"
#include "summary/memory_check.hpp"
#include "summary/optimization_check.hpp"
#include "summary/sampling_checks.hpp"
#include "summary/timed_errors.hpp"

namespace ridge::harness {
namespace {

using model::check;
using model::outcome;

constexpr double other_cpu_at_most = 0.05;
// On a busy machine threads of a team that have nothing to do are accounted late.
constexpr double other_cpu_beside_a_team_at_most = 0.25;
constexpr double faults_more_than_others = 4;       // times as many
constexpr double undeclared_cpu_at_most_s = 10e-6;  // two clocks read one after the other

check counters_check(const family_evidence& e) {
  check c{.id = "counters"};
  c.evidence =
      e.equipment.counters ? std::string(e.equipment.counters->unavailable_because()) : "not asked for";
  if (c.evidence.empty()) c.result = outcome::pass;
  return c;
}

check energy_check(const family_evidence& e) {
  check c{.id = "energy"};
  c.evidence = e.equipment.energy ? std::string(e.equipment.energy->unavailable_because())
                                  : "no meter on this machine";
  if (c.evidence.empty() && takes_patience(*e.equipment.energy) && !e.options.profile.counters)
    c.evidence = fmt::format("the meter is updated every {:.0f} ms: read in profile deep",
                             e.equipment.energy->resolution_s() * 1e3);
  if (c.evidence.empty()) c.result = outcome::pass;
  return c;
}

check verified_check(const family_evidence& e) {
  if (!e.definition.has_oracle && !e.definition.has_element && !e.definition.has_check) {
    return {.id = "verified",
            .result = outcome::warn,
            .evidence = "the experiment states no oracle and no property"};
  }
  return {.id = "verified", .result = outcome::pass, .evidence = "two data sets on guarded arrays"};
}

// The finding about the reference, or else about the candidate.
std::string first_of(const std::vector<std::string>& by_arm, const pairing_result& r) {
  return by_arm[r.pairing.reference].empty() ? by_arm[r.pairing.candidate] : by_arm[r.pairing.reference];
}

check timed_check(const pairing_result& r, const family_evidence& e) {
  auto wrong = first_of(e.rechecked.wrong, r);
  if (wrong.empty()) wrong = first_of(e.rechecked.skips, r);
  for (const auto arm : {r.pairing.reference, r.pairing.candidate}) {
    if (wrong.empty()) wrong = e.arms.results().disagreement_of(arm);
  }
  if (wrong.empty() && e.rechecked.rounds == 0) wrong = "no timed result was recomputed";
  return {.id = "timed_results",
          .result = wrong.empty() ? outcome::pass : outcome::fail,
          .value = static_cast<double>(e.rechecked.rounds),
          .limit = static_cast<double>(e.rechecked.drawn),
          .unit = "rounds",
          .evidence = wrong.empty() ? fmt::format("{} of {} rounds drawn at random recomputed by {}",
                                                  e.rechecked.rounds, e.rechecked.drawn, e.rechecked.method)
                                    : wrong};
}

// Once an arm wrote outside the arrays, which all arms share, no comparison of the family can be trusted.
check guards_check(const family_evidence& e) {
  const auto seen = e.arms.damage();
  return {.id = "guards",
          .result = seen.empty() ? outcome::pass : outcome::fail,
          .evidence = seen.empty() ? "the red zones around every array are as they were" : seen};
}

void say(std::string& all, const std::string& more) { all += (all.empty() ? "" : "; ") + more; }

// Returns "one thread running", "3 descriptors open, another rounding mode".
std::string left_in_words(const side_effects& s) {
  std::vector<std::string> parts;
  const auto add = [&](int count, std::string_view thing, std::string_view state) {
    if (count > 0)
      parts.push_back(count == 1 ? fmt::format("one {} {}", thing, state)
                                 : fmt::format("{} {}s {}", count, thing, state));
  };
  add(s.threads_started, "thread", "running");
  add(s.descriptors_opened, "descriptor", "open");
  if (s.rounding_changed) parts.emplace_back("another rounding mode");
  if (s.affinity_changed) parts.emplace_back("another affinity");
  return join(parts, ", ");
}

check audit_check(const pairing_result& r, const family_evidence& e) {
  check c{.id = "audit", .result = outcome::pass};
  for (const auto arm : {r.pairing.reference, r.pairing.candidate}) {
    const auto& s = e.effects[arm];
    const auto& name = e.definition.variants[e.arms.arm(arm).variant].name;
    // What has been verified before fails in the pass that watches it only where it does not want to be
    // watched.
    const bool evades =
        !s.failed.empty() && e.options.memory_pass && e.arms.sampling().facts().on_this_thread;
    if (evades)
      return {.id = "audit",
              .result = outcome::fail,
              .evidence = fmt::format("{} {} while it was watched", name, s.failed)};
    if (!s.failed.empty()) return {.id = "audit", .evidence = s.failed};
    if (s.changed.empty() &&
        (s.threads_started || s.descriptors_opened || s.rounding_changed || s.affinity_changed)) {
      c.result = outcome::fail;
      say(c.evidence, fmt::format("{} leaves {}", name, left_in_words(s)));
    }
    if (!s.changed.empty()) {
      c.result = outcome::fail;
      say(c.evidence, fmt::format("calls of {} change {}", name, s.changed));
    }
    if (s.undeclared_cpu_s > undeclared_cpu_at_most_s) {
      c.result = outcome::fail;
      say(c.evidence, fmt::format("{} declares one thread and computes {:.0f} us a call on others", name,
                                  s.undeclared_cpu_s * 1e6));
    }
    if (!s.undeclared_gpus.empty()) {
      c.result = outcome::fail;
      say(c.evidence, fmt::format("{} {}", name, s.undeclared_gpus));
    }
    if (s.allocations > 0) {
      if (c.result == outcome::pass) c.result = outcome::warn;
      say(c.evidence, fmt::format("{} allocates {:.0f} times a call", name, s.allocations));
    }
  }
  if (c.evidence.empty()) {
    const bool counted = e.effects[r.pairing.reference].allocations >= 0;
    c.evidence = counted ? "the process is left as it was, and nothing is allocated"
                         : "the process is left as it was; allocations are not counted";
  }
  return c;
}

// Results that a sample has written lie in memory. Where reading them faults, and not for all arms, somebody
// has left a part of the work to the reader.
std::string put_off_to_the_reader(const family_evidence& e) {
  double least = e.arms.effects().faults_of_reading(0);
  for (std::size_t arm = 1; arm < e.arms.arms(); ++arm)
    least = std::min(least, e.arms.effects().faults_of_reading(arm));
  for (std::size_t arm = 0; arm < e.arms.arms(); ++arm) {
    const double faults = e.arms.effects().faults_of_reading(arm);
    if (faults >= 1 && faults > faults_more_than_others * least)
      return fmt::format("reading the results of a sample of {} takes {:.3g} page faults, of others {:.3g}",
                         e.definition.variants[e.arms.arm(arm).variant].name, faults, least);
  }
  return {};
}

// Once a call changed the process, every later sample of every arm was taken in another one.
check state_check(const family_evidence& e) {
  const auto& changed = e.arms.effects().first_change();
  if (auto put_off = put_off_to_the_reader(e); !changed && !put_off.empty())
    return {.id = "state", .result = outcome::fail, .evidence = std::move(put_off)};
  if (!changed)
    return {.id = "state", .result = outcome::pass, .evidence = "the process is as it was before the calls"};
  const auto who = changed->arm ? e.definition.variants[e.arms.arm(*changed->arm).variant].name + " changes "
                                : std::string("calls changed ");
  return {.id = "state", .result = outcome::fail, .evidence = who + changed->difference};
}

bool has_a_team(const family_evidence& e) {
  bool any = false;
  for (std::size_t arm = 0; arm < e.arms.arms(); ++arm) any = any || e.arms.arm(arm).threads != 1;
  return any;
}

// Whether every arm has one thread and keeps to it in its samples. Of one that does not, some of the time on
// other threads is accounted only after its samples.
bool none_computes_elsewhere(const family_evidence& e) {
  bool all = !has_a_team(e);
  for (std::size_t arm = 0; arm < e.arms.arms(); ++arm)
    all = all && e.arms.effects().other_cpu_share(arm) <= other_cpu_at_most;
  return all;
}

void add_time_between_samples(check& c, const family_evidence& e) {
  const double share = e.arms.effects().other_cpu_share_between();
  if (share <= other_cpu_at_most) return;
  c.result = outcome::fail;
  c.value = share;
  c.evidence = fmt::format(
      "every variant declares one thread; other threads of the process compute for {:.0f} % of the time "
      "between samples",
      100 * share);
}

check cpu_time_check(const pairing_result& r, const family_evidence& e) {
  const double at_most = has_a_team(e) ? other_cpu_beside_a_team_at_most : other_cpu_at_most;
  check c{.id = "cpu_time", .limit = at_most, .unit = "1"};
  if (!e.arms.sampling().facts().on_this_thread) {
    c.evidence = "calls are enqueued";
    return c;
  }
  c.result = outcome::pass;
  c.value = 0;
  c.evidence = "variants of one thread compute on one thread";
  for (const auto arm : {r.pairing.reference, r.pairing.candidate}) {
    const double share = e.arms.effects().other_cpu_share(arm);
    if (e.arms.arm(arm).threads != 1 || share <= c.value.value_or(0)) continue;
    c.value = share;
    if (share <= at_most) continue;
    c.result = outcome::fail;
    c.evidence =
        fmt::format("{} declares one thread; other threads of the process compute for {:.0f} % of its time",
                    e.definition.variants[e.arms.arm(arm).variant].name, 100 * share);
  }
  if (c.result == outcome::pass && none_computes_elsewhere(e)) add_time_between_samples(c, e);
  return c;
}

check resolution_check(const pairing_result& r, const family_evidence& e) {
  const auto& arm = e.session.arms[r.pairing.candidate];
  const double shortest = arm.seconds.empty() ? 0 : *std::ranges::min_element(arm.seconds);
  const double share = shortest > 0 ? e.equipment.clock_cost_s / shortest : 1;
  return {.id = "resolution",
          .result = share < 0.01 ? outcome::pass : outcome::warn,
          .value = share,
          .limit = 0.01,
          .unit = "1",
          .evidence = "reading the clock against the shortest sample"};
}

// What held the GPU's clock down, and how far it moved. A power cap is usual under matrix products; it is
// shown and not judged.
check clocks_check(const family_evidence& e) {
  const auto seen = measure::summarize(e.arms.machine().gpu_states());
  check c{.id = "clocks", .unit = "1", .evidence = seen.text()};
  if (seen.blocks == 0) {
    c.evidence = std::string(e.equipment.gpu_state->unavailable_because());
    return c;
  }
  c.value = seen.throttled_share.value_or(0);
  c.result = outcome::pass;
  for (const auto& [reason, share] : seen.reasons) {
    if (reason.find("thermal") != std::string::npos || reason.find("brake") != std::string::npos)
      c.result = outcome::warn;
  }
  return c;
}

}  // namespace

std::vector<check> family_checks(const family_evidence& e) {
  std::vector<check> all{
      interference_check(e.session, e.equipment.interference ? &e.arms.machine().disturbance() : nullptr),
      warm_check(e.session), control_check(e.session), counters_check(e), energy_check(e)};
  if (e.equipment.gpu_state) all.push_back(clocks_check(e));
  return all;
}

const check* find_check(const std::vector<check>& checks, std::string_view id) {
  const auto found = std::ranges::find(checks, id, &check::id);
  return found == checks.end() ? nullptr : &*found;
}

namespace {

outcome outcome_of(const model::comparison& c, std::string_view id) {
  const auto* found = find_check(c.checks, id);
  return found == nullptr ? outcome::skipped : found->result;
}

bool any_failed(const model::comparison& c) {
  return std::ranges::any_of(c.checks, [](const check& each) { return each.result == outcome::fail; });
}

int assurance_of(const model::comparison& c, const experiment::definition& definition) {
  if (outcome_of(c, "verified") != outcome::pass || any_failed(c)) return 0;
  const bool audited = outcome_of(c, "audit") != outcome::skipped;
  const bool against_results = definition.has_oracle || definition.has_element;
  constexpr std::array declared{"tolerance", "stage", "observed",   "speedup", "memory",
                                "spans",     "work",  "arithmetic", "traffic", "baseline"};
  const bool plain =
      std::ranges::all_of(declared, [&](const char* id) { return outcome_of(c, id) != outcome::warn; });
  return audited && against_results && plain && !leaves_doubt(*find_check(c.checks, "ceilings")) ? 2 : 1;
}

std::vector<check> checks_of(const pairing_result& r, const family_evidence& e, const model::family& f) {
  std::vector<check> all{verified_check(e),
                         optimization_check(e.definition, e.arms.arm(r.pairing.reference).variant,
                                            e.arms.arm(r.pairing.candidate).variant, e.options.unoptimized),
                         timed_check(r, e),
                         error_check(r, f, e),
                         audit_check(r, e),
                         memory_check(r, e),
                         guards_check(e),
                         state_check(e),
                         cpu_time_check(r, e),
                         noise_check(r, e.session.repeatability, e.options.protocol.min_effect),
                         drift_check(r),
                         dependence_check(r),
                         resolution_check(r, e),
                         ceiling_check(f.measurements[e.measurement_of[r.pairing.reference]],
                                       f.measurements[e.measurement_of[r.pairing.candidate]])};
  if (!e.arms.sampling().facts().on_this_thread && r.metric == 0 && r.pairing.judged &&
      e.arms.metric_list().front().reading == reading::time)
    all.push_back(cycles_check(r, e));
  std::ranges::move(enqueued_checks(r, e), std::back_inserter(all));
  return all;
}

}  // namespace

void add_checks(model::comparison& c, const pairing_result& r, const family_evidence& e,
                const model::family& f) {
  c.checks = checks_of(r, e, f);
  std::ranges::move(sampling_checks(r, e), std::back_inserter(c.checks));
  std::ranges::move(declaration_checks(c, r, f, e), std::back_inserter(c.checks));
  std::ranges::move(claim_checks(c, r, f, e), std::back_inserter(c.checks));
  if (outcome_of(c, "verified") != outcome::pass) c.verdict = model::verdict::unverified;
  if (any_failed(c)) c.verdict = model::verdict::invalid;
  c.assurance = assurance_of(c, e.definition);
}

}  // namespace ridge::harness
