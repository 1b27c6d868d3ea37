// SPDX-License-Identifier: Apache-2.0
#include "family_arms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/stats/quantile.hpp>

#include "variant_resources.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t kept_rounds = 8;
constexpr double rekey_share = 0.05;
constexpr double gpu_read_every_s = 0.05;
// Of the host's enqueueing: some hundreds of launches, where a queue takes a thousand.
constexpr double longest_block_s = 1e-3;

tick_source ticks_of(const instruments& with) {
  if (!with.where->on_host())
    return {[](void*) { return static_cast<std::uint64_t>(monotonic_seconds() * 1e9); }, nullptr, 1e-9};
  auto& where = *with.where;
  const double per_tick = where.seconds_between({0}, {1u << 20}) / static_cast<double>(1u << 20);
  return {[](void* self) { return static_cast<device::device*>(self)->mark().ticks; }, &where, per_tick};
}

std::size_t bytes_of(rings& all) {
  return all.empty() || all.begin()->second.empty() ? 0
                                                    : all.begin()->second.front().get().memory.total_bytes();
}

bool has_files(rings& all) { return !all.empty() && all.begin()->second.front().has_files(); }
bool has_inouts(rings& all) { return !all.empty() && all.begin()->second.front().has_inouts(); }

}  // namespace

std::size_t ring_size(const experiment::definition& of, std::size_t member_bytes, bool one_placement,
                      const device::device& where) {
  const auto bytes = std::max<std::size_t>(member_bytes, 1);
  std::size_t wanted = one_placement ? 3 : 16;
  if (of.cold) wanted = std::max(wanted, 2 * where.last_level_cache_bytes() / bytes + 1);
  const auto affordable = static_cast<std::size_t>(0.4 * static_cast<double>(where.memory_bytes())) / bytes;
  return std::max<std::size_t>(std::min(wanted, affordable), 1);
}

family_arms::family_arms(const experiment::definition& of, const problem& p, const instruments& with,
                         rings& members, affinity_plan& places)
    : of_(of),
      at_(p),
      with_(with),
      rings_(members),
      places_(places),
      work_(of.work(p)),
      metrics_(of.metrics),
      events_(read_event_clock(*with.where)),
      block_s_(longest_block_s),
      ticks_(ticks_of(with)),
      ceilings_(with.gauge, monotonic_seconds) {
  members_ = rings_.begin()->second.size();
  const auto nearest =
      with.where->on_host() ? host::read_topology().cache_bytes(2) : with.where->last_level_cache_bytes();
  near_ = members_ * bytes_of(rings_) <= nearest / 2;
  loops_ = !has_inouts(rings_) && !has_files(rings_);
  queues_ = !with.where->on_host() && !has_files(rings_) && of_.phases.empty() && of_.observed.empty() &&
            !rings_.contains(device::placement::small_pages);
  if (!with.where->on_host()) metrics_.push_back(cycles_per_call());
}

void family_arms::add(std::size_t variant) {
  const int threads = threads_of(of_.variants[variant], at_);
  const double start = monotonic_seconds();
  places_.widen();
  auto* team = places_.team(threads);
  auto queues = queues_of(of_, variant, *with_.where);
  const setup_resources resources{*with_.where, queues.get(), team, threads};
  bound_arm a{.variant = variant,
              .threads = threads,
              .queues = std::move(queues),
              .context = call(call_resources_of(of_, ticks_, resources))};
  for (auto& m : ring_of(a)) {
    m.poison_all();
    a.setups.push_back(std::make_unique<setup>(resources));
    a.bodies.push_back(of_.bind(variant, m.get(), *a.setups.back()));
  }
  a.setup_s = (monotonic_seconds() - start) / static_cast<double>(members_);
  a.fixed.assign(of_.metrics.size(), std::numeric_limits<double>::quiet_NaN());
  exact_ = exact_ && of_.within(variant, at_).exact();
  arms_.push_back(std::move(a));
  phases_.emplace_back(of_.phases.size());
  observed_.emplace_back(of_.observed.size());
  latencies_.emplace_back();
}

void family_arms::watch_ceiling(std::size_t arm, std::string id) {
  const int threads = arms_[arm].threads;
  places_.place(threads);
  ceilings_.watch(arm, std::move(id), places_.team(threads));
}

void family_arms::fill(std::uint64_t seed) {
  seed_ = seed;
  lots_ = order_generator(mix_keys(seed, 0x6b657074));
  const double start = monotonic_seconds();
  for (auto& [placement, ring] : rings_) {
    for (std::size_t i = 0; i < ring.size(); ++i) ring[i].rekey(mix_keys(seed, i));
  }
  whole_s_ = (monotonic_seconds() - start) / static_cast<double>(rings_.size() * members_);
}

std::vector<keyed_member>& family_arms::ring_of(const bound_arm& a) {
  return rings_.at(of_.variants[a.variant].placement);
}

keyed_member& family_arms::member(std::size_t arm, std::size_t index) { return ring_of(arms_[arm])[index]; }

void family_arms::begin_round(std::uint64_t round) {
  round_start_s_ = monotonic_seconds();
  used_ = loops_ && near_ ? members_ : 1;
  first_ = used_ == members_ ? 0 : static_cast<std::size_t>(round % members_);
  prints_.clear();
  rekey_round();
  stage_round();
  if (with_.interference) with_.interference->start();
}

// Whole arrays where that costs under 5 % of a round, else 1/256 of their lines; files are drawn once.
void family_arms::rekey_round() {
  const bool whole = whole_s_ * static_cast<double>(used_ * rings_.size()) < rekey_share * last_round_s_;
  for (auto& [placement, ring] : rings_) {
    for (std::size_t i = first_; i < first_ + used_; ++i) {
      if (whole && !ring[i].has_files()) {
        ring[i].rekey(mix_keys(ring[i].state().base, 1));
      } else {
        ring[i].touch();
      }
    }
  }
}

void family_arms::stage_round() {
  for (auto& a : arms_) {
    if (!of_.variants[a.variant].stages) continue;
    const double start = monotonic_seconds();
    for (std::size_t i = first_; i < first_ + used_; ++i)
      of_.stage(a.variant, ring_of(a)[i].get(), *a.setups[i]);
    a.stage_s = (monotonic_seconds() - start) / static_cast<double>(used_);
  }
}

fingerprint family_arms::run_once(std::size_t arm, std::size_t member) {
  first_ = member;
  used_ = 1;
  auto& a = arms_[arm];
  if (of_.variants[a.variant].stages) of_.stage(a.variant, ring_of(a)[member].get(), *a.setups[member]);
  prepare(a);
  a.context.clear();
  a.bodies[member]->run(a.context, 1);
  with_.where->synchronize();
  (void)last_hz();
  return take_fingerprint(ring_of(a)[member].get().memory, exact_);
}

std::string family_arms::take_disagreement(std::size_t arm) {
  return std::exchange(arms_[arm].disagrees, {});
}

void family_arms::compare_arms(std::uint64_t round) {
  const auto baseline = prints_.find(0);
  if (baseline == prints_.end()) return;
  for (const auto& [arm, prints] : prints_) {
    const auto within = of_.within(arms_[arm].variant, at_);
    for (std::size_t i = 0; i < prints.size() && arms_[arm].disagrees.empty(); ++i) {
      const auto why = disagreement(prints[i], baseline->second[i], within);
      if (!why.empty()) arms_[arm].disagrees = fmt::format("round {}: {}", round, why);
    }
  }
}

void family_arms::add_disturbance(const measure::interference& seen) {
  disturbance_.wall_s += seen.wall_s;
  disturbance_.involuntary_switches += seen.involuntary_switches;
  disturbance_.voluntary_switches += seen.voluntary_switches;
  disturbance_.steal_s += seen.steal_s;
  disturbance_.throttled_periods += seen.throttled_periods;
  disturbance_.minor_faults += seen.minor_faults;
  disturbance_.major_faults += seen.major_faults;
  disturbance_.migrated = disturbance_.migrated || seen.migrated;
}

void family_arms::read_gpu() {
  if (!with_.gpu_state || monotonic_seconds() - gpu_read_s_ < gpu_read_every_s) return;
  if (auto state = with_.gpu_state->read()) gpu_states_.push_back(std::move(*state));
  gpu_read_s_ = monotonic_seconds();
}

bool family_arms::end_round(std::uint64_t round) {
  read_gpu();
  measure::interference seen;
  if (with_.interference) seen = with_.interference->stop();
  last_round_s_ = monotonic_seconds() - round_start_s_;
  compare_arms(round);
  keep(round);
  add_disturbance(seen);
  measure::interference_bounds bounds;
  bounds.least_cpu_over_wall =
      loops_ && with_.where->on_host() &&
              std::ranges::all_of(arms_, [](const auto& a) { return a.threads == 1; })
          ? 0.95
          : 0;
  bounds.most_voluntary_switches = std::numeric_limits<long>::max();
  bounds.most_minor_faults = std::numeric_limits<long>::max();
  return with_.interference != nullptr && !seen.clean(bounds);
}

std::string family_arms::damage() const {
  if (auto changed = with_.where->tampering(); !changed.empty()) return changed;
  for (const auto& [placement, ring] : rings_) {
    for (const auto& m : ring) {
      if (auto seen = m.damage(); !seen.empty()) return seen;
    }
  }
  return {};
}

// Reservoir sampling: which rounds are kept is not known before the last one.
void family_arms::keep(std::uint64_t round) {
  if (prints_.empty()) return;
  const auto seen = ++rounds_seen_;
  std::size_t place = kept_.size();
  if (kept_.size() == kept_rounds) place = lots_.below(static_cast<std::size_t>(seen));
  if (place >= kept_rounds) return;
  if (place == kept_.size()) kept_.emplace_back();
  kept_[place] = {.round = round, .first_member = first_, .data = {}, .by_arm = prints_};
  for (std::size_t i = first_; i < first_ + used_; ++i)
    kept_[place].data.push_back(rings_.begin()->second[i].state());
}

void family_arms::warmed_up() {
  ceilings_.restart();
  gpu_states_.clear();
  kept_.clear();
  rounds_seen_ = 0;
  disturbance_ = {};
  blocks_ = {};
  for (auto& list : latencies_) list.clear();
  for (auto& arm : phases_) {
    for (auto& list : arm) list.clear();
  }
  for (auto& arm : observed_) {
    for (auto& list : arm) list.clear();
  }
}

}  // namespace ridge::harness
