// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/harness/ceilings.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/harness/session.hpp>

#include "event_pass.hpp"
#include "family_arms.hpp"
#include "family_frame.hpp"
#include "gpu_checks.hpp"
#include "gpu_families.hpp"
#include "mode_pass.hpp"
#include "pairings.hpp"
#include "recheck.hpp"
#include "summarise.hpp"
#include "untimed_pass.hpp"
#include "verification.hpp"

namespace ridge::harness {
namespace {

// Each call is a launch or more, and a queue holds a thousand; a body that enqueues nothing must not loop for
// ever.
constexpr std::uint64_t most_calls_enqueued = std::uint64_t{1} << 14;

// One family from its frame to its verdicts. Each stage leaves the family complete as far as it got.
class family_run {
 public:
  family_run(const planned_family& family, const instruments& equipment, const run_options& options)
      : family_(family),
        definition_(*family.of),
        equipment_(equipment),
        options_(options),
        f_(frame_of(family, checked(equipment), options, variants_)) {}

  // True while there is something to time.
  bool verify() {
    if (!any_runnable()) return skip("no variant of this backend can run here");
    make_rings();
    expect_results();
    auto references = reference_members();
    for (std::size_t i = 0; i < variants_.size(); ++i) verify_one(i, references);
    return std::ranges::any_of(f_.measurements, can_be_timed);
  }

  void time(const session_watch& watch) {
    arms_.emplace(definition_, family_.at, equipment_, rings_, places_);
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      if (can_be_timed(f_.measurements[i])) bind(i);
    }
    if (arm_to_measurement_.empty()) return;
    arms_->fill(options_.protocol.seed);
    watch_effects();
    watch_ceilings();
    session(watch);
  }

  // Sessions of one variant with its control alone.
  control_trials controls(std::string_view variant, double seconds_each, std::size_t trials) {
    const auto index = [&](std::size_t i) { return definition_.variants[variants_[i]].name == variant; };
    std::size_t chosen = 0;
    while (chosen < variants_.size() && !index(chosen)) ++chosen;
    if (chosen == variants_.size())
      return {.skipped = fmt::format("{} has no variant {}", definition_.id, variant)};
    auto& m = f_.measurements[chosen];
    if (can_be_timed(m)) {
      make_rings();
      expect_results();
      verify_one(chosen, reference_members());
    }
    if (!can_be_timed(m)) return {.skipped = m.skipped + m.refused};
    arms_.emplace(definition_, family_.at, equipment_, rings_, places_);
    bind(chosen);
    arms_->fill(options_.protocol.seed);
    return control_sessions(seconds_each, trials);
  }

  model::family take() {
    places_.widen();
    return std::move(f_);
  }

 private:
  static const instruments& checked(const instruments& equipment) {
    expects(equipment.where != nullptr, "measure_family: no device");
    return equipment;
  }
  static bool can_be_timed(const model::measurement& m) { return m.skipped.empty() && m.refused.empty(); }
  bool any_runnable() const { return std::ranges::any_of(f_.measurements, can_be_timed); }
  bool skip(std::string why) {
    f_.skipped = std::move(why);
    return false;
  }

  void make_rings() {
    std::vector<device::placement> wanted;
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      if (can_be_timed(f_.measurements[i])) wanted.push_back(definition_.variants[variants_[i]].placement);
    }
    std::ranges::sort(wanted);
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    for (const auto placement : wanted) {
      auto& ring = rings_[placement];
      ring.push_back(make_member(definition_, family_.at, equipment_, device::guard::red_zones, placement));
      array_bytes_ = static_cast<double>(ring.front().get().memory.total_bytes());
      const auto size = ring_size(definition_, ring.front().get().memory.total_bytes(), wanted.size() == 1,
                                  *equipment_.where);
      while (ring.size() < size)
        ring.push_back(make_member(definition_, family_.at, equipment_, device::guard::red_zones, placement));
    }
  }

  // Members that hold the oracle's answers, in host memory.
  std::vector<keyed_member*> reference_members() {
    std::vector<keyed_member*> references;
    if (!equipment_.where->on_host()) {
      while (twins_.size() < 2) twins_.push_back(make_host_member(definition_, family_.at, equipment_));
      return {&twins_[0], &twins_[1]};
    }
    for (auto& m : rings_.begin()->second) {
      if (references.size() < 2) references.push_back(&m);
    }
    return references;
  }

  void expect_results() {
    std::uint64_t which = 0;
    for (auto* reference : reference_members()) {
      reference->rekey(mix_keys(options_.protocol.seed, 0x766572, ++which));
      reference->poison_outputs();
      expect(definition_, family_.at, *reference);
    }
  }

  void verify_one(std::size_t i, const std::vector<keyed_member*>& references) {
    auto& m = f_.measurements[i];
    if (!can_be_timed(m)) return;
    const auto seen = verify_variant(definition_, variants_[i], family_.at, equipment_, references);
    m.skipped = seen.skipped;
    m.refused = seen.refused;
    m.max_abs_error = seen.max_abs;
    m.max_rel_error = seen.max_rel;
  }

  void bind(std::size_t i) {
    try {
      arms_->add(variants_[i]);
      arm_to_measurement_.push_back(i);
    } catch (const failure& thrown) {
      f_.measurements[i].skipped = thrown.why().text();
    }
  }

  void watch_ceilings() {
    if (!equipment_.peak) return;
    for (std::size_t arm = 0; arm < arms_->arms(); ++arm) {
      const auto& m = f_.measurements[arm_to_measurement_[arm]];
      const auto arithmetic = definition_.variants[arms_->arm(arm).variant].arithmetic;
      const auto limit = limit_of(*equipment_.peak, m, array_bytes_, arithmetic);
      if (limit.by) arms_->watch_ceiling(arm, limit.by->id);
    }
  }

  void watch_effects() {
    for (std::size_t arm = 0; arm < arms_->arms(); ++arm) {
      side_effects seen{.failed = "not asked for"};
      if (options_.memory_pass) {
        seen = watch_side_effects(definition_, arms_->arm(arm).variant, family_.at, equipment_,
                                  arms_->member(arm, 0));
      }
      for (std::size_t k = 0; k < definition_.metrics.size(); ++k) {
        const auto& m = f_.measurements[arm_to_measurement_[arm]];
        if (definition_.metrics[k].reading == reading::peak_bytes)
          arms_->set_fixed(arm, k, seen.peak_bytes + seen.allocated_bytes);
        if (definition_.metrics[k].reading == reading::error) arms_->set_fixed(arm, k, m.max_rel_error);
      }
      effects_.push_back(std::move(seen));
    }
  }

  void session(const session_watch& watch) {
    auto p = options_.protocol;
    p.budget_s = options_.profile.budget_per_arm_s * static_cast<double>(arms_->arms());
    p.sample_s = std::max(p.sample_s, 1000 * equipment_.clock_resolution_s);
    if (!equipment_.where->on_host()) p.most_iterations = most_calls_enqueued;
    std::vector<model::better> better;
    for (const auto& metric : arms_->metric_list()) better.push_back(metric.what.better);
    const auto pairings = pairings_of(definition_, *arms_);
    const double start = monotonic_seconds();
    const auto record = measure(*arms_, p, pairings.asked, better, watch, monotonic_seconds, pairings.late);
    const auto rechecked = recheck(definition_, family_.at, *arms_, equipment_, 0.1 * p.budget_s);
    f_.wall_s = monotonic_seconds() - start;
    summarise(f_, {.of = definition_,
                   .at = family_.at,
                   .with = equipment_,
                   .options = options_,
                   .arms = *arms_,
                   .session = record,
                   .rechecked = rechecked,
                   .effects = effects_,
                   .measurement_of = arm_to_measurement_,
                   .array_bytes = array_bytes_});
    for (std::size_t arm = 0; arm < arms_->arms(); ++arm) {
      auto& m = f_.measurements[arm_to_measurement_[arm]];
      auto events = count_events(*arms_, arm, m.iterations, equipment_, options_.profile.counters);
      m.counters = std::move(events.counters);
      m.energy_j = events.energy_j;
    }
    refuse_what_was_wrong(rechecked);
    std::ranges::move(gpu_checks(*arms_), std::back_inserter(f_.checks));
    measure_in_modes(f_,
                     {.arms = *arms_,
                      .measurement_of = arm_to_measurement_,
                      .pairings = pairings.asked,
                      .protocol = p,
                      .fastest_call_s = fastest_call_s(record)},
                     options_.profile.modes);
  }

  static double fastest_call_s(const session_record& seen) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& arm : seen.arms) {
      for (const double seconds : arm.seconds)
        least = std::min(least, seconds / static_cast<double>(arm.iterations));
    }
    return least;
  }

  control_trials control_sessions(double seconds_each, std::size_t trials) {
    control_trials all;
    std::vector<model::better> better;
    for (const auto& metric : arms_->metric_list()) better.push_back(metric.what.better);
    for (std::size_t i = 0; i < trials; ++i) {
      auto p = options_.protocol;
      p.budget_s = seconds_each;
      p.sample_s = std::max(p.sample_s, 1000 * equipment_.clock_resolution_s);
      p.seed = options_.protocol.seed + i;
      const auto seen = measure(*arms_, p, {}, better);
      all.intervals.push_back(seen.control.ci);
      all.ratios.push_back(seen.control.ratio);
    }
    return all;
  }

  void refuse_what_was_wrong(const recheck_result& rechecked) {
    for (std::size_t arm = 0; arm < arms_->arms(); ++arm) {
      auto& m = f_.measurements[arm_to_measurement_[arm]];
      const auto& why = rechecked.wrong[arm].empty() ? rechecked.skips[arm] : rechecked.wrong[arm];
      if (!why.empty()) m.refused = "timed results were wrong: " + why;
    }
  }

  const planned_family& family_;
  const experiment::definition& definition_;
  const instruments& equipment_;
  const run_options& options_;
  std::vector<std::size_t> variants_;
  model::family f_;
  affinity_plan places_;
  rings rings_;
  std::vector<keyed_member> twins_;  // two members in host memory, where the ring lies elsewhere
  double array_bytes_ = 0;
  std::optional<family_arms> arms_;
  std::vector<std::size_t> arm_to_measurement_;
  std::vector<side_effects> effects_;
};

}  // namespace

model::family measure_family(const planned_family& family, const instruments& equipment,
                             const run_options& options, const session_watch& watch) {
  family_run run(family, equipment, options);
  if (run.verify()) run.time(watch);
  return run.take();
}

control_trials control_of(const planned_family& family, std::string_view variant,
                          const instruments& equipment, const run_options& options, double seconds_each,
                          std::size_t trials) {
  return family_run(family, equipment, options).controls(variant, seconds_each, trials);
}

model::family verify_family(const planned_family& family, const instruments& equipment,
                            const run_options& options) {
  family_run run(family, equipment, options);
  (void)run.verify();
  return run.take();
}

}  // namespace ridge::harness
