// SPDX-License-Identifier: Apache-2.0
#include "sampling/family_arms.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <ridge/harness/session.hpp>

#include "run/progress_mark.hpp"
#include "verify/verification.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t enough_fresh_calls = 5;

std::vector<metric> metrics_of(const experiment::definition& definition, const sampling_facts& facts) {
  auto all = definition.metrics;
  all.insert(all.end(), facts.further_metrics.begin(), facts.further_metrics.end());
  return all;
}

}  // namespace

family_arms::family_arms(const experiment::definition& definition, const problem& p,
                         const instruments& equipment, rings& all, affinity_plan& places)
    : device_(*equipment.device),
      places_(places),
      progress_(equipment.progress),
      members_(all, near_cache_bytes(device_)),
      arms_(definition, p, device_, members_, places),
      workspace_pages_(arms_, places),
      sampler_(make_sampler(device_, arms_, effects_)),
      results_([this](std::size_t arm) { return arms_.within(arm); }),
      rechecked_whole_(!definition.has_oracle || samples_elements(definition, p)),
      readings_(definition, p, metrics_of(definition, sampler_->facts())),
      machine_(equipment),
      ceilings_(equipment.gauge, monotonic_seconds) {}

void family_arms::add(std::size_t variant) {
  const variant_at_work mark(progress_, progress_mark::stage::set_up, variant);
  arms_.add(variant, sampler_->facts().clock);
  readings_.add_arm();
  paid_s_.emplace_back();
}

void family_arms::watch_ceiling(std::size_t arm, std::string id) {
  const int threads = arms_[arm].threads;
  places_.place(threads);
  ceilings_.watch(arm, std::move(id), places_.team(threads));
}

ceiling_reading family_arms::ceiling_again(std::size_t arm) {
  places_.place(arms_[arm].threads);
  return ceilings_.read_again(arm);
}

void family_arms::fill(std::uint64_t seed) {
  results_.seed(seed);
  effects_.seed(mix_keys(seed, 0x73746174));
  members_.fill(seed);
  if (sampler_->facts().on_this_thread) effects_.bound();
  workspace_pages_.seed(mix_keys(seed, 0x7061676573));
  results_.expect_bytes(arms_.size() * members_.most_used() * members_.result_bytes(!rechecked_whole_));
}

std::optional<std::uint64_t> family_arms::pieces_of_round() {
  return device_.on_host() ? std::optional(results_.pieces_key()) : std::nullopt;
}

void family_arms::begin_round(std::uint64_t round) {
  members_.begin_round(round);
  workspace_pages_.begin_round(round);
  results_.begin_round();
  arms_.stage_round();
  machine_.begin_round();
}

sample family_arms::run(std::size_t arm, std::uint64_t n) {
  const variant_at_work mark(progress_, progress_mark::stage::timing, arms_[arm].variant);
  const auto calls = sampler_->take(arm, n);
  if (progress_) progress_->took(calls.seconds);
  effects_.before_reading();
  sample_results results{.prints = arms_.prints(arm, n, pieces_of_round())};
  effects_.after_reading(arm);
  if (results_.wants_outputs()) {
    results.outputs = results_.take_used_memory();
    arms_.copy_outputs(arm, n, rechecked_whole_ ? std::nullopt : pieces_of_round(), results.outputs);
  }
  results_.collect(arm, std::move(results));
  return note(arm, n, calls);
}

void family_arms::run_turns(std::span<const turn> turns, const std::function<void(const sample&)>& taken) {
  const auto settled = [&](const turn& next, const timed_calls& calls, sample_results results) {
    results_.collect(next.arm, std::move(results));
    taken(note(next.arm, next.n, calls));
  };
  while (!turns.empty()) {
    const auto count = take_block(turns, settled);
    if (count == 0) taken(run(turns.front().arm, turns.front().n));
    turns = turns.subspan(std::max<std::size_t>(count, 1));
  }
}

std::size_t family_arms::take_block(std::span<const turn> turns, const settled_sample& settled) {
  if (progress_ && progress_->one_by_one) return 0;
  const variant_at_work at_work(progress_, progress_mark::stage::timing, arms_[turns.front().arm].variant);
  if (progress_) progress_->in_block = turns.size() > 1;
  return sampler_->take_block(turns, results_.wants_outputs(), settled);
}

sample family_arms::note(std::size_t arm, std::uint64_t n, const timed_calls& calls) {
  for (const double seconds : calls.each_s) readings_.add_latency(arm, seconds);
  ceilings_.sampled(arm);
  paid_s_[arm].push_back(paid_for(arm, n, calls));
  return readings_.take(arm, arms_[arm].context, n, calls.seconds, calls.hz);
}

void family_arms::complete_fresh_calls(const std::vector<arm_record>& arms) {
  if (sampler_->facts().on_this_thread) return;
  const auto wants = [&](std::size_t arm) {
    return arms[arm].iterations > 1 && sampler_->fresh_calls_of(arm).fresh_s.size() < enough_fresh_calls;
  };
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    for (std::size_t tries = 0; tries < enough_fresh_calls && wants(arm); ++tries) {
      const auto n = arms[arm].iterations;
      begin_round(tries);
      const double seconds = run(arm, n).seconds;
      sampler_->take_fresh_call(arm, seconds / static_cast<double>(n));
      (void)end_round(tries);
    }
  }
}

double family_arms::paid_for(std::size_t arm, std::uint64_t n, const timed_calls& calls) const {
  const bool by_cpu = arms_[arm].threads == 1 && calls.cpu_s > 0;
  return (by_cpu ? std::min(calls.seconds, calls.cpu_s) : calls.seconds) / static_cast<double>(n);
}

void family_arms::draw_anew(std::uint64_t key, std::size_t first_member, std::size_t members) {
  members_.draw_anew(key, first_member, members);
  arms_.stage_anew();
}

void family_arms::draw_again() {
  members_.draw_again();
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) arms_.stage(arm);
}

timed_calls family_arms::run_extra(std::size_t arm, std::uint64_t n) {
  if (progress_) progress_->enter(progress_mark::stage::timing, arms_[arm].variant);
  auto calls = sampler_->take(arm, n);
  results_.collect(arm, {.prints = arms_.prints(arm, n)});
  return calls;
}

fingerprint family_arms::run_once(std::size_t arm, std::size_t member,
                                  std::optional<std::uint64_t> pieces_key) {
  const variant_at_work mark(progress_, progress_mark::stage::recheck, arms_[arm].variant);
  members_.use_only(member);
  arms_.stage(arm);
  sampler_->call_once(arm);
  return arms_.prints(arm, 1, pieces_key).front();
}

fingerprint family_arms::run_on_old_results(std::size_t arm, std::size_t member) {
  const round_members::old_results_left left(members_);
  return run_once(arm, member);
}

bool family_arms::end_round(std::uint64_t round) {
  const auto seen = machine_.end_round();
  results_.end_round(round, members_.first(), [this] { return members_.states(); });
  measure::interference_bounds bounds;
  bounds.least_cpu_over_wall =
      members_.may_loop() && arms_.single_threaded() && sampler_->facts().on_this_thread ? 0.95 : 0;
  bounds.most_voluntary_switches = std::numeric_limits<long>::max();
  bounds.most_minor_faults = std::numeric_limits<long>::max();
  return machine_.watches_interference() && !seen.clean(bounds);
}

bool family_arms::stop_requested() const { return progress_ != nullptr && progress_->stop; }

double family_arms::memory_bytes(std::size_t arm) const {
  return arms_[arm].bound_bytes + effects_.memory_bytes(arm);
}

std::string family_arms::damage() const {
  if (auto changed = sampler_->tampering(); !changed.empty()) return changed;
  if (auto changed = device_.tampering(); !changed.empty()) return changed;
  return members_.damage();
}

void family_arms::warmed_up() {
  ceilings_.restart();
  if (sampler_->facts().on_this_thread) {
    effects_.warmed_up();
    workspace_pages_.warmed_up();
  } else {
    effects_.compare_with_start();
  }
  machine_.restart();
  for (auto& arm : paid_s_) arm.clear();
  results_.restart();
  sampler_->forget_blocks();
  readings_.restart();
}

}  // namespace ridge::harness
