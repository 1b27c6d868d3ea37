// SPDX-License-Identifier: Apache-2.0
#include "replica_lifecycle.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/plan/serve/counted_random.hpp>

namespace ridge::plan::serve {
namespace {

constexpr std::uint64_t failing = 300;  // the stream of random numbers

}  // namespace

replica_lifecycle::replica_lifecycle(cluster_context& context, replica_fleet& fleet,
                                     request_dispatcher& dispatcher)
    : context_(&context), fleet_(&fleet), dispatcher_(&dispatcher) {}

void replica_lifecycle::start() {
  const auto& settings = context_->settings;
  if (settings.autoscaler.most > 0)
    context_->timers.set(settings.autoscaler.interval_s, timer_kind::scale, 0);
  if (!(settings.failures.mtbf_s > 0)) return;
  for (std::uint32_t i = 0; i < fleet_->replicas().size(); ++i) {
    if (fleet_->replicas()[i].state == replica_state::up)
      context_->timers.set(settings.failures.mtbf_s * random_exponential(settings.seed, i, failing),
                           timer_kind::failure, i);
  }
}

void replica_lifecycle::fail(std::uint32_t i) {
  auto& r = fleet_->replicas()[i];
  if (r.state != replica_state::up && r.state != replica_state::draining) return;
  fleet_->reach(i);
  ++r.failures;
  const auto lost = r.twin.fail(context_->now_s);
  r.state = replica_state::failed;
  fleet_->views()[i].up = false;
  fleet_->views()[i].unfinished = 0;
  context_->timers.set(context_->now_s + context_->settings.failures.recovery_s, timer_kind::recovery, i);
  if (!lost.empty()) ++losses_;
  // Produced tokens are lost with the cache: clients send their requests again.
  for (const auto id : lost) {
    auto& one = context_->made.requests[id];
    one.first_token_s = never_s;
    ++one.restarts;
    dispatcher_->dispatch(id);
  }
}

void replica_lifecycle::recover(std::uint32_t i) {
  const auto nth = static_cast<std::uint64_t>(fleet_->replicas()[i].failures);
  const double next_s = context_->settings.failures.mtbf_s *
                        random_exponential(context_->settings.seed, (nth << 20U) + i, failing);
  context_->timers.set(context_->now_s + next_s, timer_kind::failure, i);
  start_replica(i);
}

void replica_lifecycle::start_replica(std::uint32_t i) {
  auto& r = fleet_->replicas()[i];
  if (r.state == replica_state::off) return;
  r.state = replica_state::up;
  fleet_->views()[i].up = true;
  dispatcher_->dispatch_homeless();
}

void replica_lifecycle::retire(std::uint32_t i) {
  fleet_->views()[i].up = false;
  fleet_->replicas()[i].state = replica_state::draining;
  if (fleet_->views()[i].unfinished == 0) fleet_->stop_paying(i);
}

void replica_lifecycle::rescale() {
  const auto& a = context_->settings.autoscaler;
  context_->timers.set(context_->now_s + a.interval_s, timer_kind::scale, 0);
  const auto pool =
      static_cast<std::uint32_t>(std::ranges::count(fleet_->replicas(), 0U, &cluster_replica::pool));
  int active = 0;
  double unfinished = static_cast<double>(dispatcher_->queued());
  for (std::uint32_t i = 0; i < pool; ++i) {
    auto& r = fleet_->replicas()[i];
    if (r.state == replica_state::draining && fleet_->views()[i].unfinished == 0) fleet_->stop_paying(i);
    active += r.state == replica_state::up || r.state == replica_state::warming ? 1 : 0;
    unfinished += static_cast<double>(fleet_->views()[i].unfinished);
  }
  const double each = a.target * context_->settings.pools[0].engine.max_sequences;
  const int wanted = std::clamp(static_cast<int>(std::ceil(unfinished / each)), a.least, a.most);
  start_more(pool, active, wanted);
  retire_some(pool, active, wanted);
}

void replica_lifecycle::start_more(std::uint32_t pool, int& active, int wanted) {
  const auto& a = context_->settings.autoscaler;
  for (std::uint32_t i = 0; i < pool && active < wanted; ++i) {
    auto& r = fleet_->replicas()[i];
    if (r.state != replica_state::off) continue;
    r.state = replica_state::warming;
    r.paid_since_s = context_->now_s;
    context_->timers.set(context_->now_s + a.warm_up_s, timer_kind::warm, i);
    ++active;
  }
}

void replica_lifecycle::retire_some(std::uint32_t pool, int active, int wanted) {
  const auto& a = context_->settings.autoscaler;
  if (wanted >= active) {
    fewer_since_s_ = never_s;
    return;
  }
  most_wanted_ = fewer_since_s_ == never_s ? wanted : std::max(most_wanted_, wanted);
  fewer_since_s_ = std::min(fewer_since_s_, context_->now_s);
  if (context_->now_s - fewer_since_s_ < a.scale_down_delay_s) return;
  for (auto i = pool; i-- > 0 && active > most_wanted_;) {
    if (fleet_->replicas()[i].state != replica_state::up) continue;
    retire(i);
    --active;
  }
  fewer_since_s_ = never_s;
}

}  // namespace ridge::plan::serve
