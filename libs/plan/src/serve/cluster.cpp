// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/cluster.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/plan/serve/counted_random.hpp>

#include "cluster_simulation.hpp"

namespace ridge::plan::serve {
namespace {

constexpr double samples_a_run = 400;
constexpr std::uint64_t look_every = 1U << 12U;  // events between looks at the watch

int replicas_of(const cluster_settings& s, std::size_t pool) {
  const auto& p = s.pools[pool];
  return pool == 0 && s.autoscaler.most > 0 ? std::max(p.replicas, s.autoscaler.most) : p.replicas;
}

std::size_t all_replicas(const cluster_settings& s) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.pools.size(); ++i) n += static_cast<std::size_t>(replicas_of(s, i));
  return n;
}

// Of one token in a full step of nothing else: what early rejection and deadlines reckon with.
double prefill_token_s_of(const replica_pool& p) {
  const auto tokens = std::int64_t{p.engine.max_batched_tokens};
  const auto context = static_cast<double>(tokens);
  const iteration full{.prefill_tokens = tokens,
                       .prefill_sequences = 1,
                       .prefill_pairs = context * (context + 1) / 2,
                       .sampled = 1};
  return p.timer->seconds(full) / context;
}

}  // namespace

cluster_simulation::cluster_simulation(cluster_settings with, const workload& asked)
    : with_(std::move(with)),
      asked_(asked),
      table_(table_of(asked)),
      engines_(all_replicas(with_)),
      bucket_(with_.admission.tokens_per_s, with_.admission.bucket_tokens) {
  add_replicas();
  link_followers();
  prepare();
}

void cluster_simulation::add_replicas() {
  replicas_.reserve(all_replicas(with_));
  notes_.reserve(all_replicas(with_));
  for (std::uint32_t p = 0; p < with_.pools.size(); ++p) {
    const auto& pool = with_.pools[p];
    prefill_token_s_.push_back(prefill_token_s_of(pool));
    for (int i = 0; i < replicas_of(with_, p); ++i) {
      auto settings = pool.engine;
      settings.seed = random_bits(with_.seed, replicas_.size(), settings.seed);
      replicas_.push_back({.twin = engine(settings, *pool.timer, table_), .pool = p});
      replicas_.back().twin.tell_admissions(with_.record_queue || with_.disaggregated.has_value());
      const auto number = static_cast<std::uint32_t>(replicas_.size() - 1);
      auto& notes = notes_.emplace_back();
      notes.gaps = &made_.gaps, notes.replica = number;
      notes.spans = with_.record_steps ? &made_.steps : nullptr;
      replicas_.back().twin.tell_steps(&notes);
      if (p == 0 && with_.autoscaler.most > 0 && i >= std::max(with_.autoscaler.least, 1))
        replicas_.back().state = replica_state::off;
    }
    if (pool.engine.role != engine_role::decode) front_ = static_cast<std::uint32_t>(replicas_.size());
  }
  views_.resize(replicas_.size());
  for (std::size_t i = 0; i < replicas_.size(); ++i) views_[i].up = replicas_[i].state == replica_state::up;
}

void cluster_simulation::step_notes::take(const engine_step& s) {
  gaps->add((s.end_s - s.begin_s) / static_cast<double>(s.steps), s.decode_sequences * s.steps);
  if (spans == nullptr) return;
  const bool prefill = s.prefill_tokens > 0;
  constexpr double pause_s = 1e-9;
  if (last > 0) {
    auto& before = (*spans)[last - 1];
    // Steps of one kind in a row are one stretch; prompts of different steps stay apart.
    if (!prefill && !before.prefill && s.begin_s - before.end_s < pause_s) {
      before.end_s = s.end_s;
      before.steps += static_cast<std::uint32_t>(s.steps);
      before.decode_tokens += s.decode_tokens * s.steps;
      return;
    }
  }
  spans->push_back({s.begin_s, s.end_s, replica, static_cast<std::uint32_t>(s.steps),
                    s.prefill_tokens * s.steps, s.decode_tokens * s.steps, prefill});
  last = spans->size();
}

void cluster_simulation::link_followers() {
  const auto n = asked_.requests.size();
  const bool any =
      std::ranges::any_of(asked_.requests, [](const workload_request& r) { return r.follows != no_request; });
  if (!any) return;
  first_follower_.assign(n, no_request);
  next_sibling_.assign(n, no_request);
  for (auto i = static_cast<std::uint32_t>(n); i-- > 0;) {
    const auto before = asked_.requests[i].follows;
    if (before == no_request) continue;
    next_sibling_[i] = first_follower_[before];
    first_follower_[before] = i;
  }
}

void cluster_simulation::prepare() {
  const auto n = asked_.requests.size();
  made_.requests.resize(n);
  std::uint32_t sessions = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto& from = asked_.requests[i];
    auto& to = made_.requests[i];
    to.arrival_s = never_s;
    to.prompt_tokens = from.prompt_tokens;
    to.output_tokens = from.output_tokens;
    to.tenant = from.tenant;
    sessions = std::max(sessions, from.session);
  }
  if (with_.router.kind == router_kind::session) home_.assign(std::size_t{sessions} + 1, -1);
  sample_interval_s_ = with_.timeline_interval_s > 0 ? with_.timeline_interval_s
                                                     : std::max(asked_.span_s() / samples_a_run, 1e-3);
}

void cluster_simulation::start_timers() {
  set_timer(sample_interval_s_, timer_kind::sample, 0);
  if (with_.autoscaler.most > 0) set_timer(with_.autoscaler.interval_s, timer_kind::scale, 0);
  if (with_.failures.mtbf_s > 0) {
    for (std::uint32_t i = 0; i < replicas_.size(); ++i) {
      if (replicas_[i].state == replica_state::up)
        set_timer(with_.failures.mtbf_s * random_exponential(with_.seed, i, 300), timer_kind::failure, i);
    }
  }
  // A closed loop starts with all clients at once; each later request waits for an answer.
  for (std::uint32_t c = 0; c < asked_.clients && next_open_ < asked_.requests.size(); ++c)
    set_timer(0, timer_kind::arrival, static_cast<std::uint32_t>(next_open_++));
  if (asked_.clients > 0) return;
  while (next_open_ < asked_.requests.size() && asked_.requests[next_open_].follows != no_request)
    ++next_open_;
}

double cluster_simulation::next_arrival_s() const {
  if (asked_.clients > 0 || next_open_ >= asked_.requests.size()) return never_s;
  return asked_.requests[next_open_].arrival_s;
}

void cluster_simulation::set_timer(double at_s, timer_kind kind, std::uint32_t who, std::uint32_t where) {
  timers_.push({at_s, timers_set_++, kind, who, where});
}

cluster_run cluster_simulation::run() {
  const auto begin = std::chrono::steady_clock::now();
  start_timers();
  while (ended_ < asked_.requests.size() && step()) {
  }
  made_.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return finished_run();
}

// One instant: engines first, since what they finish is known to those who come; then what comes; then the
// steps that start now.
bool cluster_simulation::step() {
  const double outside_s = timers_.empty() ? never_s : timers_.top().at_s;
  const double t = std::min({engines_.top_s(), outside_s, next_arrival_s()});
  if (t == never_s || t > with_.stop_after_s || asked_to_stop()) {
    made_.stopped = t != never_s;
    return false;
  }
  now_s_ = t;
  take_engine_events();
  take_timers();
  take_arrivals();
  if (with_.router.kind == router_kind::earliest_deadline) dispatch_held();
  settle();
  return true;
}

bool cluster_simulation::asked_to_stop() {
  if (++steps_ % look_every != 0 || !with_.watch) return false;
  return with_.watch(static_cast<double>(ended_) / static_cast<double>(asked_.requests.size()));
}

void cluster_simulation::take_engine_events() {
  while (engines_.top_s() <= now_s_) {
    const auto i = engines_.top();
    engines_.set(i, never_s);
    reach(i);
  }
}

void cluster_simulation::reach(std::uint32_t i) {
  auto& r = replicas_[i];
  r.twin.advance(now_s_);
  if (!r.touched) {
    r.touched = true;
    touched_.push_back(i);
  }
  if (r.twin.events().empty()) return;
  for (const auto& e : r.twin.events()) take(i, e);
  r.twin.clear_events();
}

void cluster_simulation::take(std::uint32_t i, const engine_event& e) {
  auto& r = made_.requests[e.id];
  switch (e.kind) {
    case engine_event_kind::queued:
      break;
    case engine_event_kind::scheduled:
      r.scheduled_s = std::min(r.scheduled_s, e.at_s);
      break;
    case engine_event_kind::first_token:
      if (r.first_token_s == never_s) r.first_token_s = e.at_s;
      break;
    case engine_event_kind::preempted:
      ++r.preemptions;
      ++replicas_[i].preemptions;
      break;
    case engine_event_kind::finished:
      --views_[i].unfinished;
      r.replica = static_cast<std::uint16_t>(i);
      ++replicas_[i].requests;
      finish(e.id, e.at_s);
      break;
    case engine_event_kind::handed_over:
      --views_[i].unfinished;
      if (r.first_token_s == never_s) r.first_token_s = e.at_s;
      hand_over(i, e.id);
      break;
    case engine_event_kind::rejected:
      --views_[i].unfinished;
      give_up(e.id, outcome::too_long);
      break;
  }
}

void cluster_simulation::take_timers() {
  while (!timers_.empty() && timers_.top().at_s <= now_s_) {
    const auto t = timers_.top();
    timers_.pop();
    take_timer(t);
  }
}

void cluster_simulation::take_timer(const timer& t) {
  switch (t.kind) {
    case timer_kind::arrival:
      return arrive(t.who);
    case timer_kind::transferred:
      return receive(t.who, t.where);
    case timer_kind::failure:
      return fail(t.who);
    case timer_kind::recovery:
      return recover(t.who);
    case timer_kind::warm:
      return start_replica(t.who);
    case timer_kind::scale:
      return rescale();
    case timer_kind::sample:
      return sample();
  }
}

void cluster_simulation::take_arrivals() {
  while (next_arrival_s() <= now_s_) {
    const auto r = static_cast<request_id>(next_open_++);
    while (next_open_ < asked_.requests.size() && asked_.requests[next_open_].follows != no_request)
      ++next_open_;
    arrive(r);
  }
}

void cluster_simulation::settle() {
  for (const auto i : touched_) {
    auto& r = replicas_[i];
    r.touched = false;
    engines_.set(i, r.twin.next_s());
  }
  touched_.clear();
}

cluster_run cluster_simulation::finished_run() {
  made_.end_s = now_s_;
  for (std::uint32_t i = 0; i < replicas_.size(); ++i) {
    auto& r = replicas_[i];
    if (r.state != replica_state::off) stop_paying(i);
    made_.replicas.push_back(use_of(r));
  }
  return std::move(made_);
}

namespace {

result<void> check_pool(const replica_pool& p) {
  if (!p.timer) return error{fmt::format("pool \"{}\" has no timer of steps", p.name), "give it one"};
  if (p.replicas < 1)
    return error{fmt::format("pool \"{}\" has {} replicas", p.name, p.replicas), "give one at least"};
  return p.engine.check();
}

result<void> check_roles(const cluster_settings& s) {
  const auto count = [&](engine_role role) {
    return std::ranges::count(s.pools, role, [](const replica_pool& p) { return p.engine.role; });
  };
  if (!s.disaggregated) {
    if (count(engine_role::both) == std::ssize(s.pools)) return {};
    return error{"a pool only prefills or only decodes, and nothing says how keys and values go between",
                 "give the disaggregation's link"};
  }
  if (count(engine_role::prefill) == 0 || count(engine_role::decode) == 0)
    return error{"disaggregation needs a pool that prefills and one that decodes", "give both, as in 2P3D"};
  if (s.pools.back().engine.role != engine_role::decode ||
      !std::ranges::is_partitioned(
          s.pools, [](const replica_pool& p) { return p.engine.role != engine_role::decode; }))
    return error{"pools that decode stand before others", "put them last"};
  if (!(s.disaggregated->link_bytes_per_s > 0) || s.disaggregated->layers < 1)
    return error{
        fmt::format("a link of {} bytes a second carries nothing", s.disaggregated->link_bytes_per_s),
        "give a link above 0"};
  return {};
}

result<void> check_cluster(const cluster_settings& s) {
  if (s.pools.empty()) return error{"a cluster of no replicas", "give a pool"};
  for (const auto& p : s.pools) {
    if (const auto good = check_pool(p); !good) return good.why();
  }
  if (s.autoscaler.most > 0 && (s.autoscaler.least < 1 || s.autoscaler.most < s.autoscaler.least ||
                                !(s.autoscaler.target > 0) || !(s.autoscaler.interval_s > 0)))
    return error{fmt::format("an autoscaler of {} to {} replicas at {} of use cannot be", s.autoscaler.least,
                             s.autoscaler.most, s.autoscaler.target),
                 "give 1 <= least <= most, a target above 0 and an interval above 0"};
  if (all_replicas(s) > 65535) return error{"more than 65535 replicas", "give fewer"};
  return check_roles(s);
}

}  // namespace

result<cluster_run> simulate_cluster(const cluster_settings& with, const workload& asked) {
  if (const auto good = check_cluster(with); !good) return good.why();
  if (asked.requests.empty())
    return error{"a workload of no requests", "give a trace or a generator with some"};
  return cluster_simulation(with, asked).run();
}

}  // namespace ridge::plan::serve
