// SPDX-License-Identifier: Apache-2.0
// Blocks of samples that are enqueued whole, without a wait between them.
#include <algorithm>

#include <ridge/harness/session.hpp>

#include "family_arms.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t most_samples_a_block = 16;
constexpr double enqueueing_around_a_sample_s = 20e-6, enqueueing_of_a_member_s = 10e-6;

}  // namespace

bool family_arms::can_queue(const bound_arm& a) const {
  return queues_ && a.holds && mode_ != mode::host_latency;
}

// How many of the turns, from the first on, are enqueued together: as many as the device's queue takes.
std::size_t family_arms::block_at_front(std::span<const turn> turns) const {
  double seconds = 0;
  std::size_t count = 0;
  for (; count < turns.size() && count < most_samples_a_block; ++count) {
    const auto& a = arms_[turns[count].arm];
    seconds += enqueueing_around_a_sample_s + static_cast<double>(used_) * enqueueing_of_a_member_s +
               static_cast<double>(turns[count].n) * a.enqueue_s;
    if (!can_queue(a) || (count > 0 && seconds > block_s_)) break;
  }
  return count;
}

void family_arms::run_turns(std::span<const turn> turns, const std::function<void(const sample&)>& taken) {
  while (!turns.empty()) {
    const auto count = block_at_front(turns);
    if (count > 1 && !run_block(turns.first(count), taken)) {
      block_s_ /= 2;  // the device let go by itself: the queue was full, or an arm waits for it
      continue;
    }
    if (count <= 1) taken(run(turns.front().arm, turns.front().n));
    turns = turns.subspan(std::max<std::size_t>(count, 1));
  }
}

// Everything of one sample but the wait; the seconds it took the host, less those of the calls.
queued_sample family_arms::enqueue_sample(const turn& asked) {
  auto& a = arms_[asked.arm];
  const double begin = monotonic_seconds();
  prepare(a);
  queued_sample made{.of = asked, .start = equipment_.where->mark()};
  const double calls_begin = monotonic_seconds();
  enqueue_calls(a, asked.n);
  const double calls_s = monotonic_seconds() - calls_begin;
  made.end = equipment_.where->mark();
  if (asked.n >= used_) {
    for (std::size_t i = first_; i < first_ + used_; ++i)
      enqueue_fingerprint(ring_of(a)[i].get().memory, exact_);
  }
  made.host_s = monotonic_seconds() - begin - calls_s;
  return made;
}

// Once the block is done and what it enqueued is taken.
sample family_arms::settle(const queued_sample& queued, double hz, taken_results& results) {
  const auto [arm, n] = queued.of;
  if (n >= used_) {
    std::vector<fingerprint> prints;
    for (std::size_t i = first_; i < first_ + used_; ++i)
      prints.push_back(next_fingerprint(ring_of(arms_[arm])[i].get().memory, exact_, results));
    results_.collect(arm, std::move(prints));
  }
  return note(arm, n, net_seconds(queued.start, queued.end), hz);
}

// False when the device did not wait for the whole block; nothing of it is kept then.
bool family_arms::run_block(std::span<const turn> turns, const std::function<void(const sample&)>& taken) {
  auto& where = *equipment_.where;
  std::vector<queued_sample> queued;
  for (const auto& one : turns) record_calls(arms_[one.arm], one.n);
  where.hold();
  for (const auto& one : turns) queued.push_back(enqueue_sample(one));
  const double released = monotonic_seconds();
  const bool held = where.release();
  where.synchronize();
  const double wall_s = monotonic_seconds() - released;
  const auto readings = where.take_clock_readings();
  taken_results results{.digests = where.take_digests(), .sums = where.take_block_sums()};
  if (!held) return false;
  double events_s = 0;
  for (std::size_t i = 0; i < queued.size(); ++i) {
    events_s += where.seconds_between(queued[i].start, queued[i].end);
    blocks_.host_s.push_back(queued[i].host_s);
    taken(settle(queued[i], i < readings.size() ? readings[i].hz : 0, results));
  }
  blocks_.most_of_wall = std::max(blocks_.most_of_wall, events_s / wall_s);
  blocks_.most_samples = std::max(blocks_.most_samples, turns.size());
  return true;
}

}  // namespace ridge::harness
