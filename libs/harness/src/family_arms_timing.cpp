// SPDX-License-Identifier: Apache-2.0
// How a sample of a family is taken; blocks of them are in family_arms_blocks.cpp.
#include <algorithm>

#include <ridge/harness/session.hpp>

#include "family_arms.hpp"

namespace ridge::harness {

// Results poisoned, inouts and files as before the first call.
void family_arms::make_clean(bound_arm& a) {
  auto& ring = ring_of(a);
  for (std::size_t i = first_; i < first_ + used_; ++i) {
    ring[i].poison_outputs();
    ring[i].restore_inouts();
    ring[i].drop_files_from_cache();
  }
}

void family_arms::prepare(bound_arm& a) {
  make_clean(a);
  if (!equipment_.where->on_host()) {
    if (mode_ == mode::warm) {
      call_bodies(a, used_);
      make_clean(a);
    } else {
      equipment_.where->evict();
    }
    equipment_.where->enqueue_clock_reading();
  }
  a.context.clear();
  places_.place(a.threads);
}

// The calls of one sample, shared out over the members of the round.
void family_arms::call_bodies(bound_arm& a, std::uint64_t n) {
  const auto share = n / used_, rest = n % used_;
  for (std::size_t i = 0; i < used_; ++i) {
    const auto calls = share + (i < rest ? 1 : 0);
    if (calls > 0) a.bodies[first_ + i]->run(a.context, calls);
  }
}

// Nothing of it runs; before anything is held, since making a graph ready may wait for the device.
void family_arms::record_calls(bound_arm& a, std::uint64_t n) {
  if (mode_ != mode::graph || !a.not_recordable.empty() || a.recordings.contains({first_, n})) return;
  auto made = equipment_.where->record([this, &a, n] { call_bodies(a, n); });
  if (made) {
    a.recordings.emplace(std::pair{first_, n}, std::move(made).value());
  } else {
    a.not_recordable = made.why().text();
  }
}

void family_arms::enqueue_calls(bound_arm& a, std::uint64_t n) {
  if (mode_ == mode::graph && a.not_recordable.empty()) {
    a.recordings.at({first_, n})->enqueue();
  } else {
    call_bodies(a, n);
  }
}

// Seconds between two marks, less the overhead of an event pair; that overhead is zero on the host.
double family_arms::net_seconds(device::timestamp start, device::timestamp end) const {
  const double seconds = equipment_.where->seconds_between(start, end);
  return std::max(seconds - events_.launch_s, std::min(seconds, events_.tick_s));
}

double family_arms::last_hz() {
  const auto readings = equipment_.where->take_clock_readings();
  return readings.empty() ? 0 : readings.back().hz;
}

// The calls of a sample between two marks. Where they can be, they are enqueued behind a stop and let go
// together.
double family_arms::timed_calls(bound_arm& a, std::uint64_t n) {
  auto& where = *equipment_.where;
  if (a.holds) where.hold();
  const auto start = where.mark();
  const double begin = where.on_host() ? 0 : monotonic_seconds();
  enqueue_calls(a, n);
  if (!where.on_host()) a.enqueue_s = (monotonic_seconds() - begin) / static_cast<double>(n);
  const auto end = where.mark();
  if (a.holds && !where.release()) a.holds = false;  // it waits for the device: timed as it comes from now on
  where.synchronize();
  return a.holds ? net_seconds(start, end) : where.seconds_between(start, end);
}

double family_arms::waited_calls(std::size_t arm, std::uint64_t n) {
  auto& a = arms_[arm];
  double all = 0;
  equipment_.where->synchronize();
  for (std::uint64_t i = 0; i < n; ++i) {
    const double begin = monotonic_seconds();
    a.bodies[first_]->run(a.context, 1);
    equipment_.where->synchronize();
    const double seconds = monotonic_seconds() - begin;
    readings_.add_latency(arm, seconds);
    all += seconds;
  }
  return all;
}

double family_arms::run_between(std::size_t arm, std::uint64_t n, const std::function<void()>& before,
                                const std::function<void()>& after) {
  auto& a = arms_[arm];
  prepare(a);
  before();
  const double seconds = timed_calls(a, n);
  after();
  (void)last_hz();
  return seconds;
}

sample family_arms::run(std::size_t arm, std::uint64_t n) {
  auto& a = arms_[arm];
  record_calls(a, n);
  prepare(a);
  const double seconds = mode_ == mode::host_latency ? waited_calls(arm, n) : timed_calls(a, n);
  const auto taken = note(arm, n, seconds, last_hz());
  if (n >= used_) results_.collect(arm, prints_of(arm));
  return taken;
}

sample family_arms::note(std::size_t arm, std::uint64_t n, double seconds, double hz) {
  ceilings_.sampled(arm);
  return readings_.take(arm, arms_[arm].context, n, seconds, hz);
}

std::vector<fingerprint> family_arms::prints_of(std::size_t arm) {
  std::vector<fingerprint> prints;
  auto& ring = ring_of(arms_[arm]);
  for (std::size_t i = first_; i < first_ + used_; ++i)
    prints.push_back(take_fingerprint(ring[i].get().memory, exact_));
  return prints;
}

// From the end of one look at the clocks to the beginning of the next, with n calls between them.
double family_arms::timer_span_s(bound_arm& a, std::uint64_t n, double& events_s) {
  auto& where = *equipment_.where;
  make_clean(a);
  where.hold();
  where.enqueue_clock_reading();
  const auto start = where.mark();
  if (n > 0) call_bodies(a, n);
  const auto end = where.mark();
  where.enqueue_clock_reading();
  if (!where.release()) a.holds = false;
  where.synchronize();
  events_s = where.seconds_between(start, end);
  const auto readings = where.take_clock_readings();
  if (readings.size() != 2) return 0;
  return static_cast<double>(readings[1].begin_ns - readings[0].end_ns) * 1e-9;
}

std::optional<two_clocks> family_arms::by_two_clocks(std::size_t arm) {
  auto& a = arms_[arm];
  if (equipment_.where->on_host() || !a.holds) return {};
  double empty_s = 0, events_s = 0;
  const double empty_span_s = timer_span_s(a, 0, empty_s);
  const double span_s = timer_span_s(a, 1, events_s);
  if (!a.holds || span_s <= 0) return {};
  return two_clocks{.events_s = events_s - empty_s, .timer_s = span_s - empty_span_s};
}

}  // namespace ridge::harness
