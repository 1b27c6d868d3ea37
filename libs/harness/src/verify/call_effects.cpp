// SPDX-License-Identifier: Apache-2.0
#include "verify/call_effects.hpp"

#include <algorithm>

#include <ridge/base/text.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/cpu_time.hpp>

namespace ridge::harness {
namespace {

constexpr double share_of_time = 0.05;

// The state without what set-up and the first calls of libraries may change: their threads, their files, the
// threads that a variant declares, and where it is placed.
host::process_state without_preparations(host::process_state state) {
  state.threads = 0;
  state.descriptors.clear();
  state.children.clear();
  state.cpus.clear();
  return state;
}

// The state without where the thread is placed, which differs between arms.
host::process_state without_place(host::process_state state) {
  state.cpus.clear();
  return state;
}

}  // namespace

call_effects::call_effects() : at_start_(without_preparations(host::read_process_state())) {}

void call_effects::begin_with(const host::process_state& state) { at_start_ = without_preparations(state); }

void call_effects::seed(std::uint64_t seed) { lots_ = order_generator(seed); }

void call_effects::note(std::optional<std::size_t> arm, const host::process_state& before,
                        const host::process_state& after) {
  if (first_) return;
  const auto all = host::differences(before, after);
  if (!all.empty()) first_ = change{arm, join(all, ", ")};
}

void call_effects::warmed_up() {
  const double start = monotonic_seconds();
  const auto state = host::read_process_state();
  read_s_ = monotonic_seconds() - start;
  next_read_s_ = start;
  note({}, at_start_, without_preparations(state));
  steady_ = without_place(state);
  accounts_.clear();
}

void call_effects::compare_with_start() {
  note({}, at_start_, without_preparations(host::read_process_state()));
}

void call_effects::before_calls() {
  const double now = monotonic_seconds();
  if (steady_ && now >= next_read_s_) {
    before_ = host::read_process_state();
    const double least_pause_s = 2 * read_s_ / share_of_time;
    next_read_s_ = now + least_pause_s * (1 + static_cast<double>(lots_.below(1000)) / 1000);
  }
  other_cpu_before_s_ = host::cpu_of_other_threads_s();
  own_cpu_before_s_ = host::cpu_of_this_thread_s();
}

void call_effects::after_calls(std::size_t arm) {
  const double own_s = host::cpu_of_this_thread_s() - own_cpu_before_s_;
  const double other_s = host::cpu_of_other_threads_s() - other_cpu_before_s_;
  if (arm >= accounts_.size()) accounts_.resize(arm + 1);
  accounts_[arm].other_cpu_s += other_s;  // errors of both signs cancel over samples
  accounts_[arm].own_cpu_s += own_s;
  if (!before_) return;
  note(arm, *before_, host::read_process_state());
  before_.reset();
}

void call_effects::conclude() {
  if (steady_) note({}, *steady_, without_place(host::read_process_state()));
}

double call_effects::other_cpu_share(std::size_t arm) const {
  if (arm >= accounts_.size() || accounts_[arm].own_cpu_s <= 0) return 0;
  return std::max(0.0, accounts_[arm].other_cpu_s / accounts_[arm].own_cpu_s);
}

}  // namespace ridge::harness
