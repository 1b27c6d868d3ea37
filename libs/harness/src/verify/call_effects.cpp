// SPDX-License-Identifier: Apache-2.0
#include "verify/call_effects.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include <ridge/base/text.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/own_mappings.hpp>
#include <ridge/host/resident_memory.hpp>

namespace ridge::harness {
namespace {

constexpr double share_of_time = 0.05;
constexpr std::size_t seen_from_bytes = std::size_t{320} << 10;  // the kernel counts pages in batches

// The present state without the held signals, which the sampler changes and watches around every sample.
host::process_state present_state() {
  auto state = host::read_process_state();
  state.blocked_signals = 0;
  return state;
}

// The state without what set-up and the first calls of libraries may change: their threads, their files, the
// threads that a variant declares, and where it is placed.
host::process_state without_preparations(host::process_state state) {
  state.threads = 0;
  state.descriptors.clear();
  state.children.clear();
  state.cpus.clear();
  state.other_threads.clear();
  return state;
}

host::memory_of_process memory_of_this_process() {
  return host::read_memory_of(getpid()).value_or(host::memory_of_process{});
}

double more(std::size_t now, std::size_t before) {
  return static_cast<double>(now) - static_cast<double>(before);
}

// The state without where the thread is placed, which differs between arms.
host::process_state without_place(host::process_state state) {
  state.cpus.clear();
  return state;
}

long faults_of_this_thread() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_minflt + used.ru_majflt;
}

}  // namespace

call_effects::call_effects()
    : at_start_(without_preparations(present_state())), changed_code_(host::files_with_changed_code()) {}

void call_effects::begin_with(const host::process_state& state) { at_start_ = without_preparations(state); }

void call_effects::seed(std::uint64_t seed) { lots_ = splitmix_generator(seed); }

void call_effects::note(std::optional<std::size_t> arm, const host::process_state& before,
                        const host::process_state& after) {
  if (first_) return;
  const auto all = host::differences(before, after);
  if (!all.empty()) first_ = change{arm, join(all, ", ")};
}

void call_effects::watch_memory() {
  watches_memory_ = true;
  (void)host::reset_peak_resident();
}

void call_effects::bound() {
  files_ = present_state().descriptors;
  if (watches_memory_) memory_before_ = memory_of_this_process();
}

void call_effects::note_signal_mask(std::optional<std::size_t> arm) {
  if (!first_) first_ = change{arm, "the mask of blocked signals"};
}

void call_effects::warmed_up() {
  const double start = monotonic_seconds();
  const auto state = present_state();
  read_s_ = monotonic_seconds() - start;
  next_read_s_ = start;
  note({}, at_start_, without_preparations(state));
  if (files_) note({}, {.descriptors = *files_}, {.descriptors = state.descriptors});
  steady_ = without_place(state);
  accounts_.clear();
  reading_faults_.clear();
  at_warm_ = host::cpu_used_so_far();
}

void call_effects::compare_with_start() {
  note({}, at_start_, without_preparations(host::read_process_state()));
}

void call_effects::before_calls() {
  const double now = monotonic_seconds();
  if (steady_ && now >= next_read_s_) {
    before_ = present_state();
    const double least_pause_s = 2 * read_s_ / share_of_time;
    next_read_s_ = now + least_pause_s * (1 + static_cast<double>(lots_.below(1000)) / 1000);
  }
  if (watches_memory_) peak_before_ = host::peak_resident_bytes();
  cpu_before_ = host::cpu_used_so_far();
}

void call_effects::note_memory(std::size_t arm, std::size_t members) {
  if (arm >= memory_bytes_.size()) memory_bytes_.resize(arm + 1);
  const auto peak = host::peak_resident_bytes();
  if (peak < peak_before_ + seen_from_bytes) return;
  // Code and tables of the program that are used for the first time are resident from then on.
  const auto now = memory_of_this_process();
  const double taken =
      more(peak, peak_before_) - std::max(0.0, more(now.file_bytes, memory_before_.file_bytes));
  memory_before_ = now;
  memory_bytes_[arm] =
      std::max(memory_bytes_[arm], taken / static_cast<double>(std::max<std::size_t>(members, 1)));
}

double call_effects::after_calls(std::size_t arm, std::size_t members) {
  const auto used = host::cpu_used_so_far() - cpu_before_;
  if (watches_memory_) note_memory(arm, members);
  if (arm >= accounts_.size()) accounts_.resize(arm + 1);
  accounts_[arm].other_threads_s += used.other_threads_s;  // errors of both signs cancel over samples
  accounts_[arm].this_thread_s += used.this_thread_s;
  if (!before_) return used.this_thread_s;
  const auto after = present_state();
  note(arm, *before_, after);
  if (auto kept = host::kept_mapping(*before_, after); !first_ && !kept.empty())
    first_ = change{arm, std::move(kept)};
  before_.reset();
  return used.this_thread_s;
}

void call_effects::before_reading() { faults_before_ = faults_of_this_thread(); }

void call_effects::after_reading(std::size_t arm) {
  if (arm >= reading_faults_.size()) reading_faults_.resize(arm + 1);
  reading_faults_[arm].faults += static_cast<double>(faults_of_this_thread() - faults_before_);
  ++reading_faults_[arm].readings;
}

double call_effects::faults_of_reading(std::size_t arm) const {
  if (arm >= reading_faults_.size()) return 0;
  return reading_faults_[arm].faults / std::max(reading_faults_[arm].readings, 1.0);
}

void call_effects::conclude() {
  if (!steady_) return;
  whole_ = host::cpu_used_so_far() - at_warm_;
  note({}, *steady_, without_place(present_state()));
  for (const auto& file : host::files_with_changed_code()) {
    const bool was_changed = std::ranges::find(changed_code_, file) != changed_code_.end();
    if (!was_changed && !first_) first_ = change{{}, "the code of " + file + " in memory"};
  }
}

double call_effects::share_of(const host::cpu_use& used) {
  return used.this_thread_s > 0 ? std::max(0.0, used.other_threads_s / used.this_thread_s) : 0;
}

double call_effects::other_cpu_share_between() const {
  auto between = whole_;
  for (const auto& in_samples : accounts_) between = between - in_samples;
  return share_of(between);
}

double call_effects::memory_bytes(std::size_t arm) const {
  return arm < memory_bytes_.size() ? memory_bytes_[arm] : 0;
}

double call_effects::other_cpu_share(std::size_t arm) const {
  return arm < accounts_.size() ? share_of(accounts_[arm]) : 0;
}

}  // namespace ridge::harness
