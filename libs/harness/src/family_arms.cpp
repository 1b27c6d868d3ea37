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

constexpr double rekey_share = 0.05;
// Of the host's enqueueing: some hundreds of launches, where a queue takes a thousand.
constexpr double longest_block_s = 1e-3;

tick_source ticks_of(const instruments& equipment) {
  if (!equipment.where->on_host())
    return {[](void*) { return static_cast<std::uint64_t>(monotonic_seconds() * 1e9); }, nullptr, 1e-9};
  auto& where = *equipment.where;
  const double per_tick = where.seconds_between({0}, {1u << 20}) / static_cast<double>(1u << 20);
  return {[](void* self) { return static_cast<device::device*>(self)->mark().ticks; }, &where, per_tick};
}

// The experiment's metrics; on a GPU also the cycles of a call.
std::vector<metric> metrics_of(const experiment::definition& definition, const device::device& device) {
  auto all = definition.metrics;
  if (!device.on_host()) all.push_back(cycles_per_call());
  return all;
}

std::size_t bytes_of(rings& all) {
  return all.empty() || all.begin()->second.empty() ? 0
                                                    : all.begin()->second.front().get().memory.total_bytes();
}

bool has_files(rings& all) { return !all.empty() && all.begin()->second.front().has_files(); }
bool has_inouts(rings& all) { return !all.empty() && all.begin()->second.front().has_inouts(); }

}  // namespace

std::size_t ring_size(const experiment::definition& definition, std::size_t member_bytes, bool one_placement,
                      const device::device& device) {
  const auto bytes = std::max<std::size_t>(member_bytes, 1);
  std::size_t wanted = one_placement ? 3 : 16;
  if (definition.cold) wanted = std::max(wanted, 2 * device.last_level_cache_bytes() / bytes + 1);
  const auto affordable = static_cast<std::size_t>(0.4 * static_cast<double>(device.memory_bytes())) / bytes;
  return std::max<std::size_t>(std::min(wanted, affordable), 1);
}

family_arms::family_arms(const experiment::definition& definition, const problem& p,
                         const instruments& equipment, rings& members, affinity_plan& places)
    : definition_(definition),
      problem_(p),
      equipment_(equipment),
      rings_(members),
      places_(places),
      events_(read_event_clock(*equipment.where)),
      block_s_(longest_block_s),
      ticks_(ticks_of(equipment)),
      results_([this](std::size_t arm) { return definition_.within(arms_[arm].variant, problem_); }),
      readings_(definition, p, metrics_of(definition, *equipment.where)),
      machine_(equipment),
      ceilings_(equipment.gauge, monotonic_seconds) {
  members_ = rings_.begin()->second.size();
  const auto nearest = equipment.where->on_host() ? host::read_topology().cache_bytes(2)
                                                  : equipment.where->last_level_cache_bytes();
  near_ = members_ * bytes_of(rings_) <= nearest / 2;
  loops_ = !has_inouts(rings_) && !has_files(rings_);
  queues_ = !equipment.where->on_host() && !has_files(rings_) && definition_.phases.empty() &&
            definition_.observed.empty() && !rings_.contains(device::placement::small_pages);
}

void family_arms::add(std::size_t variant) {
  const int threads = threads_of(definition_.variants[variant], problem_);
  const double start = monotonic_seconds();
  places_.widen();
  auto* team = places_.team(threads);
  auto queues = queues_of(definition_, variant, *equipment_.where);
  const setup_resources resources{*equipment_.where, queues.get(), team, threads};
  bound_arm a{.variant = variant,
              .threads = threads,
              .queues = std::move(queues),
              .context = call(call_resources_of(definition_, ticks_, resources))};
  for (auto& m : ring_of(a)) {
    m.poison_all();
    a.setups.push_back(std::make_unique<setup>(resources));
    a.bodies.push_back(definition_.bind(variant, m.get(), *a.setups.back()));
  }
  a.setup_s = (monotonic_seconds() - start) / static_cast<double>(members_);
  exact_ = exact_ && definition_.within(variant, problem_).exact();
  arms_.push_back(std::move(a));
  readings_.add_arm();
}

void family_arms::watch_ceiling(std::size_t arm, std::string id) {
  const int threads = arms_[arm].threads;
  places_.place(threads);
  ceilings_.watch(arm, std::move(id), places_.team(threads));
}

void family_arms::fill(std::uint64_t seed) {
  seed_ = seed;
  results_.seed(seed);
  const double start = monotonic_seconds();
  for (auto& [placement, ring] : rings_) {
    for (std::size_t i = 0; i < ring.size(); ++i) ring[i].rekey(mix_keys(seed, i));
  }
  whole_s_ = (monotonic_seconds() - start) / static_cast<double>(rings_.size() * members_);
}

std::vector<keyed_member>& family_arms::ring_of(const bound_arm& a) {
  return rings_.at(definition_.variants[a.variant].placement);
}

keyed_member& family_arms::member(std::size_t arm, std::size_t index) { return ring_of(arms_[arm])[index]; }

void family_arms::begin_round(std::uint64_t round) {
  round_start_s_ = monotonic_seconds();
  used_ = loops_ && near_ ? members_ : 1;
  first_ = used_ == members_ ? 0 : static_cast<std::size_t>(round % members_);
  results_.begin_round();
  rekey_round();
  stage_round();
  machine_.begin_round();
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
    if (!definition_.variants[a.variant].stages) continue;
    const double start = monotonic_seconds();
    for (std::size_t i = first_; i < first_ + used_; ++i)
      definition_.stage(a.variant, ring_of(a)[i].get(), *a.setups[i]);
    a.stage_s = (monotonic_seconds() - start) / static_cast<double>(used_);
  }
}

fingerprint family_arms::run_once(std::size_t arm, std::size_t member) {
  first_ = member;
  used_ = 1;
  auto& a = arms_[arm];
  if (definition_.variants[a.variant].stages)
    definition_.stage(a.variant, ring_of(a)[member].get(), *a.setups[member]);
  prepare(a);
  a.context.clear();
  a.bodies[member]->run(a.context, 1);
  equipment_.where->synchronize();
  (void)last_hz();
  return take_fingerprint(ring_of(a)[member].get().memory, exact_);
}

bool family_arms::end_round(std::uint64_t round) {
  const auto seen = machine_.end_round();
  last_round_s_ = monotonic_seconds() - round_start_s_;
  results_.end_round(round, first_, [this] {
    std::vector<key_state> data;
    for (std::size_t i = first_; i < first_ + used_; ++i) data.push_back(rings_.begin()->second[i].state());
    return data;
  });
  measure::interference_bounds bounds;
  bounds.least_cpu_over_wall =
      loops_ && equipment_.where->on_host() &&
              std::ranges::all_of(arms_, [](const auto& a) { return a.threads == 1; })
          ? 0.95
          : 0;
  bounds.most_voluntary_switches = std::numeric_limits<long>::max();
  bounds.most_minor_faults = std::numeric_limits<long>::max();
  return machine_.watches_interference() && !seen.clean(bounds);
}

std::string family_arms::damage() const {
  if (auto changed = equipment_.where->tampering(); !changed.empty()) return changed;
  for (const auto& [placement, ring] : rings_) {
    for (const auto& m : ring) {
      if (auto seen = m.damage(); !seen.empty()) return seen;
    }
  }
  return {};
}

void family_arms::warmed_up() {
  ceilings_.restart();
  machine_.restart();
  results_.restart();
  blocks_ = {};
  readings_.restart();
}

}  // namespace ridge::harness
