// SPDX-License-Identifier: Apache-2.0
#include "run/timed_family.hpp"

#include <algorithm>
#include <limits>

#include <ridge/harness/ceilings.hpp>

#include "run/refusal.hpp"

namespace ridge::harness {

timed_family::timed_family(family_state& family)
    : family_(family),
      arms_(family.definition, family.planned.problem, family.equipment, family.members, family.places) {
  if (!family.equipment.device->on_host()) arms_.effects().begin_with(family.at_start);
  if (family.options.memory_pass && family.equipment.device->on_host()) arms_.watch_memory();
}

side_effects timed_family::watch(std::size_t variant, const keyed_member& member) const {
  if (!family_.options.memory_pass) return {.failed = "not asked for"};
  return watch_side_effects(family_.definition, variant, family_.planned.problem, family_.equipment, member,
                            family_.guarded, untimed_limit_s(family_.options));
}

void timed_family::watch_unbound() {
  if (!family_.equipment.device->on_host()) return;
  for (std::size_t i = 0; i < family_.variants.size(); ++i) {
    if (!can_be_timed(family_.result.measurements[i])) continue;
    const auto variant = family_.variants[i];
    unbound_[i] = watch(variant, family_.members.at(family_.definition.variants[variant].placement).front());
  }
  family_.guarded.discard();
}

void timed_family::time_alone() {
  if (!family_.options.lone_pass) alone_.skipped = "not asked for";
  if (!family_.options.lone_pass || !family_.equipment.device->on_host()) return;
  // A process that ends ends the rounds of all: they are taken again without its variant.
  for (bool again = true; again;) {
    alone_ = take_lone_rounds(family_);
    bool refused = false;
    for (std::size_t i = 0; i < alone_.wrong.size(); ++i) {
      if (alone_.wrong[i].empty()) continue;
      refuse(family_.result.measurements[i],
             {"in a process of its own: " + alone_.wrong[i], alone_.failures[i], alone_.signals[i]},
             progress_mark::stage::timing);
      refused = true;
    }
    again = refused && std::ranges::all_of(alone_.seconds, &std::vector<double>::empty);
  }
}

void timed_family::bind(std::size_t measurement) {
  try {
    arms_.add(family_.variants[measurement]);
    measurement_of_.push_back(measurement);
  } catch (const failure& thrown) {
    family_.result.measurements[measurement].skipped = thrown.why().text();
  }
}

void timed_family::watch_bound() {
  for (std::size_t arm = 0; arm < arms_.arms(); ++arm) {
    const auto found = unbound_.find(measurement_of_[arm]);
    effects_.push_back(found != unbound_.end() ? found->second
                                               : watch(arms_.arm(arm).variant, arms_.member(arm, 0)));
    effects_.back().memory_bytes += family_.kept_bytes[measurement_of_[arm]];
  }
}

void timed_family::set_fixed_metrics() {
  for (std::size_t arm = 0; arm < arms_.arms(); ++arm) {
    for (std::size_t k = 0; k < family_.definition.metrics.size(); ++k) {
      const auto reading = family_.definition.metrics[k].reading;
      if (reading == reading::peak_bytes) arms_.set_fixed(arm, k, effects_[arm].memory_bytes);
      if (reading == reading::error) arms_.set_fixed(arm, k, measurement(arm).max_rel_error);
      if (reading == reading::rms_error)
        arms_.set_fixed(arm, k,
                        measurement(arm).rms_error.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }
}

void timed_family::watch_ceilings() {
  if (!family_.equipment.peak) return;
  for (std::size_t arm = 0; arm < arms_.arms(); ++arm) {
    const auto multiplied = family_.definition.variants[arms_.arm(arm).variant].multiplied;
    const auto limit = limit_of(*family_.equipment.peak, measurement(arm), family_.array_bytes, multiplied);
    if (limit.ceiling) arms_.watch_ceiling(arm, limit.ceiling->id);
  }
}

std::vector<model::better> timed_family::better() const {
  std::vector<model::better> all;
  for (const auto& metric : arms_.metric_list()) all.push_back(metric.definition.better);
  return all;
}

protocol timed_family::protocol_for(double budget_s) const {
  auto p = family_.options.protocol;
  p.budget_s = budget_s;
  p.sample_s = std::max(p.sample_s, 1000 * family_.equipment.clock_resolution_s);
  p.single_call_s = std::max(p.single_call_s, 250 * family_.equipment.clock_resolution_s);
  p.most_iterations = arms_.sampling().facts().most_calls.value_or(p.most_iterations);
  return p;
}

}  // namespace ridge::harness
