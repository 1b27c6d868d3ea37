// SPDX-License-Identifier: Apache-2.0
#include "cluster_simulation.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ridge::plan::serve {
namespace {

constexpr double samples_a_run = 400;
constexpr std::size_t most_samples = 800;
constexpr std::uint64_t look_every = 1U << 12U;  // events between calls of the watch function

}  // namespace

cluster_simulation::cluster_simulation(cluster_settings settings, const workload& asked)
    : own_(std::move(settings), asked),
      requests_(own_),
      fleet_(own_, requests_),
      dispatcher_(own_, fleet_, requests_),
      lifecycle_(own_, fleet_, dispatcher_),
      sample_interval_s_(own_.settings.timeline_interval_s > 0
                             ? own_.settings.timeline_interval_s
                             : std::max(asked.span_s() / samples_a_run, 1e-3)) {}

void cluster_simulation::start() {
  context_->timers.set(sample_interval_s_, timer_kind::sample, 0);
  lifecycle_.start();
  requests_.start();
}

cluster_run cluster_simulation::run() {
  const auto begin = std::chrono::steady_clock::now();
  start();
  while (requests_.ended() < context_->asked.requests.size() && step()) {
  }
  auto& made = context_->made;
  made.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  made.end_s = context_->now_s;
  fleet_.close_books();
  return std::move(made);
}

// Handles one time: first the engines, since arrivals know what they finished; then arrivals and timers; then
// the steps that start now.
bool cluster_simulation::step() {
  auto& timers = context_->timers;
  const double others_s = std::min(timers.next_s(), requests_.next_arrival_s());
  const double t = std::min(fleet_.next_s(), others_s);
  if (in_vain()) {
    context_->made.in_vain = true;
    return false;
  }
  if (t == never_s || t > context_->settings.stop_after_s || asked_to_stop()) {
    context_->made.stopped = t != never_s;
    return false;
  }
  context_->now_s = t;
  fleet_.take_engine_events(t < others_s);
  while (timers.next_s() <= t) take_timer(timers.take());
  while (requests_.next_arrival_s() <= t) dispatcher_.arrive(requests_.take_next());
  if (context_->settings.router.kind == router_kind::earliest_deadline) dispatcher_.dispatch_held();
  fleet_.settle();
  return true;
}

bool cluster_simulation::asked_to_stop() {
  if (++steps_ % look_every != 0 || !context_->settings.watch) return false;
  return context_->settings.watch(static_cast<double>(requests_.ended()) /
                                  static_cast<double>(context_->asked.requests.size()));
}

bool cluster_simulation::in_vain() {
  constexpr std::uint64_t most = 1000;
  if (requests_.ended() != ended_before_) {
    ended_before_ = requests_.ended();
    losses_before_end_ = lifecycle_.losses();
  }
  return lifecycle_.losses() - losses_before_end_ > most + fleet_.replicas().size();
}

void cluster_simulation::take_timer(const cluster_timer& t) {
  switch (t.kind) {
    case timer_kind::arrival:
      return dispatcher_.arrive(t.subject);
    case timer_kind::transferred:
      return dispatcher_.receive(t.subject);
    case timer_kind::failure:
      return lifecycle_.fail(t.subject);
    case timer_kind::recovery:
      return lifecycle_.recover(t.subject);
    case timer_kind::warm:
      return lifecycle_.start_replica(t.subject);
    case timer_kind::scale:
      return lifecycle_.rescale();
    case timer_kind::sample:
      return sample();
  }
}

void cluster_simulation::sample() {
  context_->timers.set(context_->now_s + sample_interval_s_, timer_kind::sample, 0);
  timeline_point p{.t_s = context_->now_s};
  p.waiting = static_cast<double>(dispatcher_.queued());
  double blocks = 0, used = 0;
  for (std::uint32_t i = 0; i < fleet_.replicas().size(); ++i) {
    auto& r = fleet_.replicas()[i];
    if (r.state == replica_state::off || r.state == replica_state::warming) continue;
    fleet_.reach(i);
    const auto load = r.twin.load();
    const double total = r.twin.settings().blocks, in_use = total - load.free_blocks;
    r.kv_use_sum += sample_interval_s_ * in_use / total;
    r.sampled_s += sample_interval_s_;
    r.peak_kv_use = std::max(r.peak_kv_use, in_use / total);
    r.peak_waiting = std::max(r.peak_waiting, static_cast<double>(load.waiting));
    blocks += total, used += in_use;
    p.waiting += load.waiting;
    p.running += load.running;
    p.replicas += r.state == replica_state::up ? 1 : 0;
  }
  p.kv_use = blocks > 0 ? used / blocks : 0;
  context_->made.timeline.push_back(p);
  if (context_->made.timeline.size() >= most_samples) thin_timeline();
}

// Keeps every other point, so that a run much longer than its arrivals, as closed loops are, has few.
void cluster_simulation::thin_timeline() {
  auto& all = context_->made.timeline;
  for (std::size_t i = 0; 2 * i + 1 < all.size(); ++i) all[i] = all[2 * i + 1];
  all.resize(all.size() / 2);
  sample_interval_s_ *= 2;
}

}  // namespace ridge::plan::serve
