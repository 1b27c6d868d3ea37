// SPDX-License-Identifier: Apache-2.0
#include "run/family_session.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include <ridge/harness/session.hpp>

#include "run/ceilings_again.hpp"
#include "run/event_pass.hpp"
#include "run/mode_pass.hpp"
#include "run/refusal.hpp"
#include "run/timed_stage.hpp"
#include "session/pairings.hpp"
#include "summary/gpu_checks.hpp"
#include "summary/memory_check.hpp"
#include "summary/summarise.hpp"
#include "summary/timed_errors.hpp"
#include "verify/fresh_rounds.hpp"
#include "verify/memory_growth.hpp"
#include "verify/recheck.hpp"

namespace ridge::harness {
namespace {

constexpr double recheck_share = 0.05;  // of the session's budget

double fastest_call_s(const session_record& seen) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& arm : seen.arms) {
    for (const double seconds : arm.seconds)
      least = std::min(least, seconds / static_cast<double>(arm.iterations));
  }
  return least;
}

void count_all_events(const family_state& family, timed_family& timed) {
  for (std::size_t arm = 0; arm < timed.arms().arms(); ++arm) {
    auto& m = timed.measurement(arm);
    auto events =
        count_events(timed.arms(), arm, m.iterations, family.equipment, family.options.profile.counters);
    m.counters = std::move(events.counters);
    m.energy_j = events.energy_j;
  }
}

void refuse_what_was_wrong(timed_family& timed, const recheck_result& rechecked) {
  for (std::size_t arm = 0; arm < timed.arms().arms(); ++arm) {
    const auto& why = rechecked.wrong[arm].empty() ? rechecked.skips[arm] : rechecked.wrong[arm];
    if (!why.empty())
      refuse(timed.measurement(arm), {"timed results were wrong: " + why}, progress_mark::stage::recheck);
  }
}

// Errors and memory are those of the process that timed where these are larger than those seen before.
void restate_fixed_metrics(session_record& record, timed_family& timed, const recheck_result& rechecked,
                           double min_effect) {
  std::vector<restated> errors, bytes;
  bool all_declared = true;
  for (std::size_t arm = 0; arm < timed.arms().arms(); ++arm) {
    const auto& effects = timed.effects()[arm];
    errors.push_back({larger_relative_error(timed.measurement(arm), rechecked.errors[arm])});
    bytes.push_back({reported_memory(effects.memory_bytes, timed.arms().memory_bytes(arm)),
                     unaccounted_bytes(effects.allocated_bytes)});
    all_declared = all_declared && bytes.back().value == effects.allocated_bytes;
  }
  // Where every arm takes what it declares, they are alike in what may be overlooked.
  for (auto& arm : bytes) arm.overlooked = all_declared ? 0 : arm.overlooked;
  restate(record, timed.arms().metric_list(), reading::error, errors, min_effect);
  restate(record, timed.arms().metric_list(), reading::peak_bytes, bytes, min_effect);
}

// Tells how the seconds of a session were spent.
void tell_session(const instruments& equipment, const session_record& record, double seconds) {
  tell_stage(equipment, "warm_up", seconds - record.wall_s);
  tell_stage(equipment, "timed", record.timed_s);
  tell_stage(equipment, "between_samples", record.wall_s - record.timed_s);
}

std::vector<dtype> types_of_arrays(const family_state& family) {
  std::vector<dtype> all;
  for (const auto& array : family.members.begin()->second.front().get().memory.arrays())
    all.push_back(array.type);
  return all;
}

void run_session(family_state& family, timed_family& timed, const session_watch& watch) {
  auto& arms = timed.arms();
  const auto p =
      timed.protocol_for(family.options.profile.budget_per_arm_s * static_cast<double>(arms.arms()));
  const auto pairings = pairings_of(family.definition, arms);
  const double start = monotonic_seconds();
  auto record = measure(arms, p, pairings.asked, timed.better(), watch, monotonic_seconds, pairings.late);
  arms.complete_fresh_calls(record.arms);
  tell_session(family.equipment, record, monotonic_seconds() - start);
  fresh_rounds fresh{.skipped = "calls are enqueued"};
  if (arms.sampling().facts().on_this_thread) {
    timed_stage(family.equipment, "fresh_rounds", [&] { fresh = take_fresh_rounds(arms, record, p.seed); });
    arms.effects().conclude();
  } else {
    arms.effects().compare_with_start();
  }
  recheck_result rechecked;
  timed_stage(family.equipment, "recheck", [&] {
    const bool stopped = arms.stop_requested();
    rechecked = recheck(family.definition, family.planned.problem, arms, family.equipment,
                        recheck_share * (stopped ? std::min(record.wall_s, p.budget_s) : p.budget_s));
  });
  restate_fixed_metrics(record, timed, rechecked, p.min_effect);
  std::vector<ceiling_reading> ceilings_again;
  timed_stage(family.equipment, "ceilings",
              [&] { ceilings_again = read_exceeded_ceilings(family, timed, record); });
  family.result.wall_s = monotonic_seconds() - start;
  summarise(family.result, {.definition = family.definition,
                            .point = family.planned.problem,
                            .equipment = family.equipment,
                            .options = family.options,
                            .arms = arms,
                            .session = record,
                            .fresh = fresh,
                            .alone = timed.alone(),
                            .rechecked = rechecked,
                            .effects = timed.effects(),
                            .measurement_of = timed.measurement_of(),
                            .array_bytes = family.array_bytes,
                            .verified_elements = family.compared,
                            .oracle_s = family.oracle_s,
                            .array_types = types_of_arrays(family),
                            .has_inouts = family.members.begin()->second.front().has_inouts(),
                            .ceilings_again = std::move(ceilings_again)});
  timed_stage(family.equipment, "events", [&] { count_all_events(family, timed); });
  refuse_what_was_wrong(timed, rechecked);
  timed_stage(family.equipment, "clocks",
              [&] { std::ranges::move(gpu_checks(arms), std::back_inserter(family.result.checks)); });
  measure_in_modes(family.result,
                   {.arms = arms,
                    .measurement_of = timed.measurement_of(),
                    .pairings = pairings.asked,
                    .protocol = p,
                    .fastest_call_s = fastest_call_s(record)},
                   family.options.profile.modes);
}

}  // namespace

void measure_verified(family_state& family, const session_watch& watch) {
  timed_family timed(family);
  const bool on_host = family.equipment.device->on_host();
  if (on_host) {
    timed_stage(family.equipment, "side_effects", [&] { timed.watch_unbound(); });
    timed_stage(family.equipment, "alone", [&] { timed.time_alone(); });
  }
  timed_stage(family.equipment, "set_up", [&] {
    for (std::size_t i = 0; i < family.variants.size(); ++i) {
      if (can_be_timed(family.result.measurements[i])) timed.bind(i);
    }
    if (!timed.measurement_of().empty()) timed.fill();
  });
  if (timed.measurement_of().empty()) return;
  if (on_host) {
    timed.watch_bound();
  } else {
    timed_stage(family.equipment, "side_effects", [&] { timed.watch_bound(); });
  }
  timed.set_fixed_metrics();
  timed.watch_ceilings();
  run_session(family, timed, watch);
}

}  // namespace ridge::harness
