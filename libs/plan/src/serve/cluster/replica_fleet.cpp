// SPDX-License-Identifier: Apache-2.0
#include "replica_fleet.hpp"

#include <algorithm>

#include <ridge/plan/serve/counted_random.hpp>

namespace ridge::plan::serve {
namespace {

int replicas_of(const cluster_settings& s, std::size_t pool) {
  const auto& p = s.pools[pool];
  return pool == 0 && s.autoscaler.most > 0 ? std::max(p.replicas, s.autoscaler.most) : p.replicas;
}

}  // namespace

std::size_t all_replicas(const cluster_settings& settings) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < settings.pools.size(); ++i)
    count += static_cast<std::size_t>(replicas_of(settings, i));
  return count;
}

replica_fleet::replica_fleet(cluster_context& context, request_ledger& requests)
    : context_(&context),
      requests_(&requests),
      engines_(all_replicas(context.settings)),
      goes_on_at_once_(!requests.answers_ask_more() && !context.settings.disaggregated &&
                       context.settings.router.kind != router_kind::earliest_deadline) {
  add_replicas();
  views_.resize(replicas_.size());
  for (std::size_t i = 0; i < replicas_.size(); ++i) views_[i].up = replicas_[i].state == replica_state::up;
}

void replica_fleet::add_replicas() {
  const auto& settings = context_->settings;
  replicas_.reserve(all_replicas(settings));
  notes_.reserve(all_replicas(settings));
  for (std::uint32_t p = 0; p < settings.pools.size(); ++p) {
    for (int i = 0; i < replicas_of(settings, p); ++i)
      add_replica(p, p != 0 || settings.autoscaler.most <= 0 || i < std::max(settings.autoscaler.least, 1));
    if (settings.pools[p].engine.role != engine_role::decode)
      front_ = static_cast<std::uint32_t>(replicas_.size());
  }
}

void replica_fleet::add_replica(std::uint32_t pool, bool up) {
  const auto& cluster = context_->settings;
  auto settings = cluster.pools[pool].engine;
  settings.seed = random_bits(cluster.seed, replicas_.size(), settings.seed);
  replicas_.push_back({.twin = engine(settings, *cluster.pools[pool].timer, context_->table), .pool = pool});
  auto& added = replicas_.back();
  added.twin.tell_admissions(cluster.record_queue || cluster.disaggregated.has_value());
  auto& notes = notes_.emplace_back();
  notes.gaps = &context_->made.gaps;
  notes.replica = static_cast<std::uint32_t>(replicas_.size() - 1);
  notes.spans = cluster.record_steps ? &context_->made.steps : nullptr;
  added.twin.tell_steps(&notes);
  if (!up) added.state = replica_state::off;
}

void step_notes::take(const engine_step& s) {
  gaps->add((s.end_s - s.begin_s) / static_cast<double>(s.steps), s.decode_sequences * s.steps);
  if (spans == nullptr) return;
  const bool prefill = s.prefill_tokens > 0;
  constexpr double pause_s = 1e-9;
  if (last > 0) {
    auto& before = (*spans)[last - 1];
    // Consecutive decode steps form one span; steps with prompts stay separate.
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

bool replica_fleet::any_up(std::uint32_t first, std::uint32_t count) const {
  return std::ranges::any_of(views_.begin() + first, views_.begin() + first + count, &replica_view::up);
}

// An engine starts its next step at once where nothing that happens now can be given to it: no arrival or
// timer comes, and the end of a request brings none, nor lets a held one go.
void replica_fleet::take_engine_events(bool alone) {
  const bool at_once = alone && goes_on_at_once_;
  while (engines_.top_s() <= context_->now_s) {
    const auto i = engines_.top();
    if (at_once) {
      replicas_[i].twin.advance(context_->now_s);
      take_events(i);
      engines_.set(i, replicas_[i].twin.next_s());
    } else {
      engines_.set(i, never_s);
      reach(i);
    }
  }
}

void replica_fleet::reach(std::uint32_t i) {
  auto& r = replicas_[i];
  r.twin.advance(context_->now_s);
  if (!r.touched) {
    r.touched = true;
    touched_.push_back(i);
  }
  take_events(i);
}

void replica_fleet::take_events(std::uint32_t i) {
  auto& engine = replicas_[i].twin;
  if (engine.events().empty()) return;
  for (const auto& e : engine.events()) take(i, e);
  engine.clear_events();
}

// An engine whose front end holds the request back goes on undisturbed until its scheduler sees it.
void replica_fleet::submit(std::uint32_t i, request_id r, bool prompt_too) {
  auto& engine = replicas_[i].twin;
  const auto& s = engine.settings();
  const bool held_back = s.role != engine_role::decode && s.front_end_s + s.request_s > 0;
  const double now_s = context_->now_s;
  if (held_back)
    engines_.set(i, std::min(engines_.at(i), now_s + s.front_end_s + s.request_s));
  else
    reach(i);
  if (prompt_too)
    engine.submit_prompt(r, now_s);
  else
    engine.submit(r, now_s);
}

void replica_fleet::take(std::uint32_t i, const engine_event& e) {
  auto& r = context_->made.requests[e.id];
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
      requests_->finish(e.id, e.at_s);
      break;
    case engine_event_kind::handed_over:
      --views_[i].unfinished;
      if (r.first_token_s == never_s) r.first_token_s = e.at_s;
      hand_over(i, e.id);
      break;
    case engine_event_kind::rejected:
      --views_[i].unfinished;
      requests_->give_up(e.id, outcome::too_long);
      break;
  }
}

void replica_fleet::hand_over(std::uint32_t sender, request_id r) {
  const auto& d = *context_->settings.disaggregated;
  auto& one = context_->made.requests[r];
  const double begin_s = one.scheduled_s < never_s ? one.scheduled_s : context_->now_s;
  const double bytes = d.bytes_of(one.prompt_tokens);
  auto sent =
      replicas_[sender].link.send(begin_s, context_->now_s, d.layers, bytes, d.link_bytes_per_s, d.latency_s);
  if (d.receive_bytes_per_s > 0) {
    const auto received =
        receiving_.send(begin_s, context_->now_s, d.layers, bytes, d.receive_bytes_per_s, d.latency_s);
    if (received.ready_s > sent.ready_s) sent = received;
  }
  ++context_->made.transfers;
  context_->made.transferred_bytes += bytes;
  context_->made.transfer_wait_s += sent.wait_s;
  context_->made.exposed_transfer_s += sent.exposed_s;
  context_->timers.set(sent.ready_s, timer_kind::transferred, r);
}

void replica_fleet::settle() {
  for (const auto i : touched_) {
    auto& r = replicas_[i];
    r.touched = false;
    engines_.set(i, r.twin.next_s());
  }
  touched_.clear();
}

void replica_fleet::stop_paying(std::uint32_t i) {
  auto& r = replicas_[i];
  r.paid_s += context_->now_s - r.paid_since_s;
  r.state = replica_state::off;
}

void replica_fleet::close_books() {
  for (std::uint32_t i = 0; i < replicas_.size(); ++i) {
    if (replicas_[i].state != replica_state::off) stop_paying(i);
    context_->made.replicas.push_back(use_of(replicas_[i]));
  }
}

replica_use replica_fleet::use_of(const cluster_replica& r) const {
  const auto& pool = context_->settings.pools[r.pool];
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
  u.tiers = c.tiers;
  u.adapter_uses = static_cast<std::int64_t>(c.adapter_uses);
  u.adapter_loads = static_cast<std::int64_t>(c.adapter_loads);
  u.mean_kv_use = r.sampled_s > 0 ? r.kv_use_sum / r.sampled_s : 0;
  u.peak_kv_use = r.peak_kv_use;
  u.peak_waiting = r.peak_waiting;
  u.energy_j = pool.idle_w * r.paid_s + (pool.busy_w - pool.idle_w) * c.busy_s;
  u.cost_usd = pool.usd_per_hour / 3600 * r.paid_s;
  return u;
}

}  // namespace ridge::plan::serve
