// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <ridge/plan/serve/counted_random.hpp>

#include "cluster_simulation.hpp"

namespace ridge::plan::serve {

void cluster_simulation::fail(std::uint32_t i) {
  auto& r = replicas_[i];
  if (r.state != replica_state::up && r.state != replica_state::draining) return;
  reach(i);
  ++r.failures;
  const auto lost = r.twin.fail(now_s_);
  r.state = replica_state::failed;
  views_[i].up = false;
  views_[i].unfinished = 0;
  set_timer(now_s_ + with_.failures.recovery_s, timer_kind::recovery, i);
  // What was given out is lost with the cache: clients ask again from the start.
  for (const auto id : lost) {
    auto& one = made_.requests[id];
    one.first_token_s = never_s;
    ++one.restarts;
    dispatch(id);
  }
}

void cluster_simulation::recover(std::uint32_t i) {
  const auto nth = static_cast<std::uint64_t>(replicas_[i].failures);
  const double next_s = with_.failures.mtbf_s * random_exponential(with_.seed, (nth << 20U) + i, 300);
  set_timer(now_s_ + next_s, timer_kind::failure, i);
  start_replica(i);
}

void cluster_simulation::start_replica(std::uint32_t i) {
  auto& r = replicas_[i];
  if (r.state == replica_state::off) return;
  r.state = replica_state::up;
  views_[i].up = true;
  auto waiting = std::move(homeless_);
  homeless_.clear();
  for (const auto id : waiting) {
    // A prompt that is computed already only wants a decoder.
    if (made_.requests[id].first_token_s < never_s)
      receive(id, i);
    else
      dispatch(id);
  }
}

void cluster_simulation::stop_paying(std::uint32_t i) {
  auto& r = replicas_[i];
  r.paid_s += now_s_ - r.paid_since_s;
  r.state = replica_state::off;
}

void cluster_simulation::retire(std::uint32_t i) {
  views_[i].up = false;
  replicas_[i].state = replica_state::draining;
  if (views_[i].unfinished == 0) stop_paying(i);
}

// So many that the target share of their sequences is in use; fewer only when fewer were enough for a while.
void cluster_simulation::rescale() {
  const auto& a = with_.autoscaler;
  set_timer(now_s_ + a.interval_s, timer_kind::scale, 0);
  const auto pool = static_cast<std::uint32_t>(std::ranges::count(replicas_, 0U, &replica::pool));
  int active = 0;
  double unfinished = static_cast<double>(homeless_.size() + held_.size());
  for (std::uint32_t i = 0; i < pool; ++i) {
    auto& r = replicas_[i];
    if (r.state == replica_state::draining && views_[i].unfinished == 0) stop_paying(i);
    active += r.state == replica_state::up || r.state == replica_state::warming ? 1 : 0;
    unfinished += static_cast<double>(views_[i].unfinished);
  }
  const double each = a.target * with_.pools[0].engine.max_sequences;
  const int wanted = std::clamp(static_cast<int>(std::ceil(unfinished / each)), a.least, a.most);
  for (std::uint32_t i = 0; i < pool && active < wanted; ++i) {
    auto& r = replicas_[i];
    if (r.state != replica_state::off) continue;
    r.state = replica_state::warming;
    r.paid_since_s = now_s_;
    set_timer(now_s_ + a.warm_up_s, timer_kind::warm, i);
    ++active;
  }
  if (wanted >= active) {
    fewer_since_s_ = never_s;
    return;
  }
  most_wanted_ = fewer_since_s_ == never_s ? wanted : std::max(most_wanted_, wanted);
  fewer_since_s_ = std::min(fewer_since_s_, now_s_);
  if (now_s_ - fewer_since_s_ < a.scale_down_delay_s) return;
  for (auto i = pool; i-- > 0 && active > most_wanted_;) {
    if (replicas_[i].state != replica_state::up) continue;
    retire(i);
    --active;
  }
  fewer_since_s_ = never_s;
}

void cluster_simulation::sample() {
  set_timer(now_s_ + sample_interval_s_, timer_kind::sample, 0);
  timeline_point p{.t_s = now_s_};
  p.waiting = static_cast<double>(homeless_.size() + held_.size());
  double blocks = 0, used = 0;
  for (std::uint32_t i = 0; i < replicas_.size(); ++i) {
    auto& r = replicas_[i];
    if (r.state == replica_state::off || r.state == replica_state::warming) continue;
    reach(i);
    const auto load = r.twin.load();
    const double total = r.twin.settings().blocks, in_use = total - load.free_blocks;
    r.kv_use_sum += in_use / total;
    r.peak_kv_use = std::max(r.peak_kv_use, in_use / total);
    r.peak_waiting = std::max(r.peak_waiting, static_cast<double>(load.waiting));
    ++r.samples;
    blocks += total, used += in_use;
    p.waiting += load.waiting;
    p.running += load.running;
    p.replicas += r.state == replica_state::up ? 1 : 0;
  }
  p.kv_use = blocks > 0 ? used / blocks : 0;
  made_.timeline.push_back(p);
}

replica_use cluster_simulation::use_of(const replica& r) const {
  const auto& pool = with_.pools[r.pool];
  const auto c = r.twin.counts();
  replica_use u{.pool = pool.name, .up_s = r.paid_s, .busy_s = c.busy_s};
  u.steps = static_cast<std::int64_t>(c.steps);
  u.requests = r.requests;
  u.preemptions = r.preemptions;
  u.failures = r.failures;
  u.prefill_tokens = static_cast<std::int64_t>(c.prefill_tokens);
  u.decode_tokens = static_cast<std::int64_t>(c.decode_tokens);
  u.prompt_lookups = static_cast<std::int64_t>(c.prompt_lookups);
  u.prompt_hits = static_cast<std::int64_t>(c.prompt_hits);
  u.mean_kv_use = r.samples > 0 ? r.kv_use_sum / static_cast<double>(r.samples) : 0;
  u.peak_kv_use = r.peak_kv_use;
  u.peak_waiting = r.peak_waiting;
  u.energy_j = pool.idle_w * r.paid_s + (pool.busy_w - pool.idle_w) * c.busy_s;
  u.cost_usd = pool.usd_per_hour / 3600 * r.paid_s;
  return u;
}

}  // namespace ridge::plan::serve
