// SPDX-License-Identifier: Apache-2.0
#include "sampling/host_sampler.hpp"

#include <algorithm>

#include <ridge/harness/session.hpp>

namespace ridge::harness {
namespace {

constexpr double team_sleeps_after_s = 80e-6;

// Calls read the same clock as marks.
tick_source clock_of_marks(device::device& device) {
  const double per_tick = device.seconds_between({0}, {1u << 20}) / static_cast<double>(1u << 20);
  return {[](void* self) { return static_cast<device::device*>(self)->mark().ticks; }, &device, per_tick};
}

}  // namespace

host_sampler::host_sampler(device::device& device, bound_arms& arms, call_effects& effects)
    : arms_(arms),
      effects_(effects),
      facts_{.clock = clock_of_marks(device), .on_this_thread = true},
      clocks_(device) {}

// The threads of a team look for new work for some 30 us before they sleep; an arm of one thread waits for
// that.
void host_sampler::prepare(std::size_t arm) {
  arms_.clean(arm);
  arms_.make_ready(arm);
  const int threads = arms_[arm].threads;
  if (threads == 1 && team_works_) {
    const double start = monotonic_seconds();
    while (monotonic_seconds() - start < team_sleeps_after_s) {
    }
  }
  team_works_ = threads != 1;
}

void host_sampler::let_signals_through() {
  if (!signals_.release()) effects_.note_signal_mask({});
}

void host_sampler::hold_signals(std::size_t arm) {
  if (!signals_.hold()) effects_.note_signal_mask(arm);
}

double host_sampler::seconds_of(std::size_t arm, std::uint64_t n) {
  let_signals_through();
  const double seconds = clocks_.seconds_of(arm, [&] { arms_.call_bodies(arm, n); });
  hold_signals(arm);
  return seconds;
}

timed_calls host_sampler::take(std::size_t arm, std::uint64_t n) {
  prepare(arm);
  effects_.before_calls();
  const double seconds = seconds_of(arm, n);
  const double cpu_s = effects_.after_calls(arm, std::min<std::uint64_t>(n, arms_.members().used()));
  return {.seconds = seconds, .cpu_s = cpu_s};
}

double host_sampler::take_between(std::size_t arm, std::uint64_t n, const std::function<void()>& before,
                                  const std::function<void()>& after) {
  prepare(arm);
  before();
  const double seconds = seconds_of(arm, n);
  after();
  return seconds;
}

void host_sampler::call_once(std::size_t arm) {
  prepare(arm);
  let_signals_through();
  arms_.call_first(arm);
  hold_signals(arm);
}

}  // namespace ridge::harness
