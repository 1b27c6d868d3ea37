// SPDX-License-Identifier: Apache-2.0
#include "family_arms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

constexpr std::size_t kept_rounds = 8;
constexpr double rekey_share = 0.05;
constexpr std::size_t observed_at_most = 1u << 20;
constexpr double gpu_read_every_s = 0.05;

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
      ticks_(ticks_of(with)),
      ceilings_(with.gauge, monotonic_seconds) {
  members_ = rings_.begin()->second.size();
  const auto nearest =
      with.where->on_host() ? host::read_topology().cache_bytes(2) : with.where->last_level_cache_bytes();
  near_ = members_ * bytes_of(rings_) <= nearest / 2;
  loops_ = !has_inouts(rings_) && !has_files(rings_);
}

void family_arms::add(std::size_t variant) {
  const int threads = threads_of(of_.variants[variant], at_);
  const double start = monotonic_seconds();
  places_.widen();
  auto* team = places_.team(threads);
  const int gpus = of_.variants[variant].needs.gpus;
  bound_arm a{.variant = variant,
              .threads = threads,
              .context = call(ticks_, team, threads, with_.where->queue(), gpus)};
  for (auto& m : ring_of(a)) {
    m.poison_all();
    a.setups.push_back(std::make_unique<setup>(*with_.where, team, a.threads, gpus));
    a.bodies.push_back(of_.bind(variant, m.get(), *a.setups.back()));
  }
  a.setup_s = (monotonic_seconds() - start) / static_cast<double>(members_);
  a.fixed.assign(of_.metrics.size(), std::numeric_limits<double>::quiet_NaN());
  exact_ = exact_ && of_.within(variant, at_).exact();
  arms_.push_back(std::move(a));
  phases_.emplace_back(of_.phases.size());
  observed_.emplace_back(of_.observed.size());
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

void family_arms::prepare(bound_arm& a) {
  auto& ring = ring_of(a);
  for (std::size_t i = first_; i < first_ + used_; ++i) {
    ring[i].poison_outputs();
    ring[i].restore_inouts();
    ring[i].drop_files_from_cache();
  }
  if (!with_.where->on_host()) with_.where->evict();
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

// The calls of a sample between two marks. Where they can be, they are enqueued behind a stop and let go
// together.
double family_arms::timed_calls(bound_arm& a, std::uint64_t n) {
  auto& where = *with_.where;
  if (a.holds) where.hold();
  const auto start = where.mark();
  call_bodies(a, n);
  const auto end = where.mark();
  if (a.holds && !where.release()) a.holds = false;  // it waits for the device: timed as it comes from now on
  where.synchronize();
  return where.seconds_between(start, end);
}

double family_arms::run_between(std::size_t arm, std::uint64_t n, const std::function<void()>& before,
                                const std::function<void()>& after) {
  auto& a = arms_[arm];
  prepare(a);
  a.context.clear();
  before();
  const double seconds = timed_calls(a, n);
  after();
  return seconds;
}

sample family_arms::run(std::size_t arm, std::uint64_t n) {
  auto& a = arms_[arm];
  prepare(a);
  a.context.clear();
  const double seconds = timed_calls(a, n);
  ceilings_.sampled(arm);
  values_.clear();
  for (std::size_t m = 0; m < of_.metrics.size(); ++m) {
    values_.push_back(read(of_.metrics[m], m, a, seconds, static_cast<double>(n)));
  }
  for (std::size_t phase = 0; phase < of_.phases.size(); ++phase) {
    phases_[arm][phase].push_back(seconds > 0 ? a.context.phase_seconds(phase) / seconds : 0);
  }
  for (std::size_t id = 0; id < of_.observed.size(); ++id) {
    auto& all = observed_[arm][id];
    const auto seen = a.context.observed(id);
    if (all.size() + seen.size() <= observed_at_most) all.insert(all.end(), seen.begin(), seen.end());
  }
  if (n >= used_) collect(arm);
  return {seconds, values_};
}

double family_arms::read(const metric& m, std::size_t index, const bound_arm& a, double seconds,
                         double calls) const {
  switch (m.reading) {
    case reading::time:
      return seconds / calls;
    case reading::items_per_second:
      return work_.items * calls / seconds;
    case reading::flop_per_second:
      return work_.flop * calls / seconds;
    case reading::bytes_per_second:
      return work_.bytes() * calls / seconds;
    case reading::phase_share:
      return a.context.phase_seconds(m.id) / seconds;
    case reading::quantile: {
      const auto seen = a.context.observed(m.id);
      if (seen.empty()) return std::numeric_limits<double>::quiet_NaN();
      std::vector<double> sorted(seen.begin(), seen.end());
      std::ranges::sort(sorted);
      return stats::sorted_quantile(sorted, m.q);
    }
    case reading::peak_bytes:
    case reading::error:
      break;
  }
  return a.fixed[index];
}

void family_arms::collect(std::size_t arm) {
  std::vector<fingerprint> prints;
  auto& ring = ring_of(arms_[arm]);
  for (std::size_t i = first_; i < first_ + used_; ++i)
    prints.push_back(take_fingerprint(ring[i].get().memory, exact_));
  prints_[arm] = std::move(prints);
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
  return take_fingerprint(ring_of(a)[member].get().memory, exact_);
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
  for (auto& arm : phases_) {
    for (auto& list : arm) list.clear();
  }
  for (auto& arm : observed_) {
    for (auto& list : arm) list.clear();
  }
}

}  // namespace ridge::harness
