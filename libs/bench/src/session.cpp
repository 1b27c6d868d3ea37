// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

#include <ridge/harness/session_checks.hpp>
#include <ridge/harness/session_family.hpp>
#include <ridge/host/affinity.hpp>
#include <ridge/host/cpu_time.hpp>
#include <ridge/model/run_stamp.hpp>

#include "compiled_arms.hpp"
#include "environment_here.hpp"
#include "result.hpp"

namespace ridge::bench {
namespace {

using model::outcome;

std::uint64_t drawn_seed() {
  std::uint64_t seed = 0;
  if (getentropy(&seed, sizeof seed) != 0)
    throw std::system_error(errno, std::generic_category(), "the system gives no random numbers");
  return seed;
}

// Seconds between two readings of the clock that differ, the least of some.
double clock_resolution_s() {
  double least = 1;
  for (int i = 0; i < 32; ++i) {
    const double begin = harness::monotonic_seconds();
    double end = begin;
    while (end <= begin) end = harness::monotonic_seconds();
    least = std::min(least, end - begin);
  }
  return least;
}

harness::protocol protocol_of(const definition& definition, std::uint64_t seed) {
  auto p = definition.protocol;
  p.seed = seed;
  const bool own_clock = std::ranges::any_of(
      definition.arms, [](const arm& a) { return !std::holds_alternative<callback<ridge_sample>>(a.body); });
  if (own_clock) {
    const double resolution_s = clock_resolution_s();
    p.sample_s = std::max(p.sample_s, 1000 * resolution_s);
    p.single_call_s = std::max(p.single_call_s, 250 * resolution_s);
  }
  p.longest_sample_s = std::max(p.longest_sample_s, 2 * p.sample_s);
  return p;
}

// Removes the samples that a stop has spoiled.
void drop_spoiled(harness::arm_record& arm) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < arm.seconds.size(); ++i) {
    if (!std::isfinite(arm.values[0][i])) continue;
    arm.values[0][kept] = arm.values[0][i];
    arm.seconds[kept] = arm.seconds[i];
    arm.round[kept] = arm.round[i];
    arm.position[kept] = arm.position[i];
    ++kept;
  }
  arm.values[0].resize(kept);
  arm.seconds.resize(kept);
  arm.round.resize(kept);
  arm.position.resize(kept);
}

model::check verified_check(const definition& definition, const output_checks& outputs) {
  model::check made{.id = "verified"};
  if (const auto& wrong = outputs.wrong()) {
    made.result = outcome::fail;
    made.evidence = fmt::format("wrong output of {}: {}", definition.arms[wrong->arm].name, wrong->reason);
  } else if (outputs.every_arm_seen()) {
    made.result = outcome::pass;
    made.value = static_cast<double>(outputs.outputs_seen());
    made.evidence =
        fmt::format("{} outputs were checked, on inputs drawn after the samples ran", outputs.outputs_seen());
    if (!definition.fresh_inputs())
      made.evidence = fmt::format("{} outputs were checked", outputs.outputs_seen());
  } else {
    made.evidence = "nothing was checked: give a check of the outputs";
  }
  return made;
}

model::check inputs_check(const definition& definition) {
  if (definition.fresh_inputs())
    return {.id = "inputs", .result = outcome::pass, .evidence = "every round has inputs of its own"};
  return {.id = "inputs", .evidence = "every round has the same inputs: nothing makes new ones"};
}

result header_of(const definition& definition, std::uint64_t seed) {
  result made;
  auto& run = made.run;
  run.id = model::new_run_id();
  run.started = model::now_utc();
  run.profile = "bench";
  run.seed = seed;
  run.min_effect = definition.protocol.min_effect;
  run.environment = environment_here();
  run.environment.facts.insert(run.environment.facts.end(), definition.facts.begin(), definition.facts.end());
  run.families.emplace_back();
  return made;
}

std::vector<harness::arm_name> names_of(const definition& definition) {
  std::vector<harness::arm_name> names;
  for (const auto& one : definition.arms) names.push_back({.name = one.name});
  return names;
}

// The family of a session whose outputs were wrong: no time is kept, and no ratio.
model::family refused_family(const definition& definition, const wrong_output& wrong) {
  model::family made;
  for (std::size_t i = 0; i < definition.arms.size(); ++i) {
    model::measurement one{.variant = definition.arms[i].name};
    one.role = i == 0 ? model::role::baseline : model::role::optimized;
    if (i == wrong.arm) one.refused = wrong.reason;
    if (i != wrong.arm)
      one.skipped = fmt::format("the output of {} is wrong", definition.arms[wrong.arm].name);
    made.measurements.push_back(std::move(one));
    if (i == 0) continue;
    const double unknown = std::nan("");
    made.comparisons.push_back({.reference = definition.arms[0].name,
                                .candidate = definition.arms[i].name,
                                .ratio = unknown,
                                .ci = {unknown, unknown},
                                .verdict = model::verdict::invalid,
                                .aa = {unknown, unknown}});
  }
  return made;
}

void add_session_checks(model::family& family, const harness::session_record& session,
                        const callback_arms& arms, double min_effect) {
  family.checks.push_back(harness::warm_check(session));
  family.checks.push_back(harness::control_check(session));
  family.checks.push_back(harness::interference_check(session, &arms.disturbance()));
  for (std::size_t i = 0; i < family.comparisons.size(); ++i) {
    family.comparisons[i].checks.push_back(
        harness::noise_check(session.results[i], session.repeatability, min_effect));
    family.comparisons[i].checks.push_back(harness::drift_check(session.results[i]));
    family.comparisons[i].checks.push_back(harness::dependence_check(session.results[i]));
  }
  family.disturbance = model::disturbance{
      .disturbed_rounds = static_cast<std::uint64_t>(std::ranges::count(session.marked, 1)),
      .steal_s = arms.disturbance().steal_s,
      .involuntary_switches = static_cast<std::uint64_t>(arms.disturbance().involuntary_switches),
      .throttled_periods = static_cast<std::uint64_t>(arms.disturbance().throttled_periods)};
}

model::family measured_family(const definition& definition, callback_arms& arms, std::uint64_t seed) {
  const auto watch = [&](const harness::session_progress& progress) {
    if (!definition.watch) return true;
    const int answer = definition.watch.function(definition.watch.user, progress.fraction, progress.rounds);
    if (answer == ridge_go_on) return true;
    if (answer != ridge_stop) throw callback_failed("the callback that watches the progress failed");
    arms.stop();
    return false;
  };
  const model::metric time{.clock =
                               definition.gpu_time ? model::clock_kind::device : model::clock_kind::wall};
  auto session = harness::measure(arms, protocol_of(definition, seed), harness::against_first(arms.arms()),
                                  {model::better::lower}, watch);
  if (arms.outputs().wrong()) return refused_family(definition, *arms.outputs().wrong());
  for (auto& one : session.arms) {
    drop_spoiled(one);
    if (one.seconds.empty()) throw nothing_measured("the session was stopped before a round was finished");
  }
  auto family = harness::family_of(session, names_of(definition), {time});
  if (definition.calls_per_sample > 0)
    for (auto& one : family.measurements) one.iterations = definition.calls_per_sample;
  add_session_checks(family, session, arms, definition.protocol.min_effect);
  return family;
}

// Calls each arm once, and then keeps the thread on one CPU, until `pin` ends, where no other thread of the
// process computed meanwhile: a thread that an arm starts inherits its mask, and would share that CPU.
// Returns where it runs.
std::string try_and_place(const definition& definition, callback_arms& arms,
                          std::optional<host::scoped_affinity>& pin) {
  constexpr double least_s = 20e-6, share = 0.02;
  const auto before = host::cpu_used_so_far();
  arms.try_each();
  const auto used = host::cpu_used_so_far() - before;
  if (!definition.pinned) return "on any CPU, as asked";
  if (used.other_threads_s > std::max(least_s, share * used.this_thread_s))
    return "on any CPU: other threads of the process compute";
  const int cpu = host::current_cpu();  // where the kernel just put it, beside what else runs
  pin.emplace(cpu);
  return fmt::format("on CPU {}", cpu);
}

}  // namespace

result measure(const definition& definition) {
  const double begin_s = harness::monotonic_seconds();
  const auto seed = definition.seed.value_or(drawn_seed());
  auto made = header_of(definition, seed);
  callback_arms arms(definition, seed);
  std::optional<host::scoped_affinity> pin;
  made.run.environment.facts.emplace_back("measuring_thread", try_and_place(definition, arms, pin));
  auto& family = made.family();
  family = arms.outputs().wrong() ? refused_family(definition, *arms.outputs().wrong())
                                  : measured_family(definition, arms, seed);
  family.experiment = "bench";
  family.title = definition.title.empty() ? "Functions" : definition.title;
  family.seed = seed;
  family.backend = definition.gpu_time ? model::backend::cuda : model::backend::cpu;
  for (auto& one : family.measurements) one.backend = family.backend;
  add_check(made, inputs_check(definition));
  add_check(made, verified_check(definition, arms.outputs()));
  add_check(made, optimization_check(definition));
  made.assurance = made.invalid_reason.empty() && arms.outputs().every_arm_seen() ? 1 : 0;
  for (auto& one : family.comparisons) one.assurance = made.assurance;
  for (const auto& one : definition.checks) add_check(made, one);
  made.was_stopped = arms.was_stopped();
  made.run.wall_s = harness::monotonic_seconds() - begin_s;
  return made;
}

}  // namespace ridge::bench
