// SPDX-License-Identifier: Apache-2.0
#include "summary/summarise.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/harness/ceilings.hpp>
#include <ridge/stats/quantile.hpp>

#include "summary/ceiling_check.hpp"
#include "summary/comparison_checks.hpp"
#include "summary/estimates.hpp"
#include "summary/library_use.hpp"
#include "summary/memory_check.hpp"
#include "summary/timed_errors.hpp"

namespace ridge::harness {
namespace {

void add_metrics(model::measurement& m, const arm_record& arm, const family_evidence& e) {
  for (std::size_t k = 0; k < e.arms.metric_list().size(); ++k) {
    m.metrics.push_back(estimate_of(e.arms.metric_list()[k].definition, arm.values[k]));
    model::series series{.metric = e.arms.metric_list()[k].definition,
                         .value = arm.values[k],
                         .block = arm.round,
                         .position = arm.position};
    for (const auto round : arm.round) series.marked.push_back(e.session.marked[round]);
    m.samples.push_back(std::move(series));
  }
}

void add_phases(model::measurement& m, std::size_t arm, const family_evidence& e) {
  if (e.definition.phases.empty()) return;
  const auto marked = [&](std::size_t phase) {
    return std::ranges::any_of(e.arms.readings().phases(arm, phase), [](double share) { return share > 0; });
  };
  bool any = false;
  for (std::size_t phase = 0; phase < e.definition.phases.size(); ++phase) any = any || marked(phase);
  if (!any) return;
  std::vector<double> other;
  for (std::size_t phase = 0; phase < e.definition.phases.size(); ++phase) {
    auto shares = e.arms.readings().phases(arm, phase);
    if (other.empty()) other.assign(shares.size(), 1.0);
    for (std::size_t i = 0; i < shares.size(); ++i) other[i] -= shares[i];
    m.phases.push_back(
        {.name = e.definition.phases[phase], .share = stats::median(shares), .ci = median_interval(shares)});
  }
  m.phases.push_back({.name = "other", .share = stats::median(other), .ci = median_interval(other)});
}

void add_quantiles(model::measurement& m, std::size_t arm, const family_evidence& e) {
  for (std::size_t id = 0; id < e.definition.observed.size(); ++id) {
    for (auto& q : quantiles_of(e.definition.observed[id], e.arms.readings().observed(arm, id)))
      m.quantiles.push_back(std::move(q));
  }
}

std::uint64_t disturbed_rounds(const family_evidence& e) {
  return static_cast<std::uint64_t>(std::ranges::count(e.session.marked, 1));
}

// Why a ceiling is in doubt after the rounds of this session; empty where nothing watched them.
std::string busy_machine(const family_evidence& e) {
  if (!e.equipment.interference || !e.arms.sampling().facts().on_this_thread) return {};
  return doubt_of_busy_machine(disturbed_rounds(e), e.session.marked.size());
}

void add_disturbance(model::family& f, const family_evidence& e) {
  if (!e.equipment.interference) return;
  const auto& seen = e.arms.machine().disturbance();
  f.disturbance = model::disturbance{
      .disturbed_rounds = disturbed_rounds(e),
      .steal_s = seen.steal_s,
      .involuntary_switches = static_cast<std::uint64_t>(std::max(seen.involuntary_switches, 0L)),
      .throttled_periods = static_cast<std::uint64_t>(std::max(seen.throttled_periods, 0L))};
}

void add_ceiling(model::measurement& m, std::size_t arm, double seconds, const family_evidence& e) {
  const auto multiplied = e.definition.variants[e.arms.arm(arm).variant].multiplied;
  const auto limit = limit_of(*e.equipment.peak, m, e.array_bytes, multiplied);
  if (!limit.ceiling) return;
  const auto beside = e.arms.ceiling(arm);
  m.ceiling = limit.label();
  m.ceiling_beside = beside.rate > 0;
  auto stood = m.ceiling_beside ? beside : stored_reading(*limit.ceiling);
  if (const auto& again = e.ceilings_again[arm]; again.rate > 0) {
    m.ceiling_first = stood.rate;
    m.ceiling_again = again.rate;
    if (again.rate > stood.rate) stood = again;
  }
  m.ceiling_rate = stood.rate;
  m.ceiling_ci = stood.ci;
  m.ceiling_disturbed = stood.disturbed.empty() ? busy_machine(e) : stood.disturbed;
  m.of_ceiling = limit.share(seconds, *m.ceiling_rate);
  m.bound = *m.of_ceiling < latency_below ? model::bound::latency : limit.bound;
}

void add_rates(model::measurement& m, std::size_t arm, const family_evidence& e) {
  const auto time = std::ranges::find(m.metrics, "time", [](const auto& x) { return x.metric.name; });
  if (time == m.metrics.end() || time->median <= 0) return;
  if (m.flop > 0) m.flop_per_s = m.flop / time->median;
  if (m.bytes_moved > 0) m.bytes_per_s = m.bytes_moved / time->median;
  if (e.equipment.peak) add_ceiling(m, arm, time->median, e);
}

// Seconds of a conversion; where little changes between rounds it may cost less than where all data are new.
double stage_s_of(const bound_arm& arm) {
  const double in_session = stats::median(arm.stage_s);
  return arm.stage_anew_s.empty() ? in_session : std::max(in_session, stats::median(arm.stage_anew_s));
}

void fill_measurement(model::measurement& m, std::size_t arm, const family_evidence& e) {
  const auto& record = e.session.arms[arm];
  m.iterations = record.iterations;
  m.setup_s = e.arms.arm(arm).setup_s;
  if (e.definition.variants[e.arms.arm(arm).variant].stages) m.stage_s = stage_s_of(e.arms.arm(arm));
  m.memory = {.peak_bytes = reported_memory(e.effects[arm].memory_bytes, e.arms.memory_bytes(arm)),
              .allocated_bytes = e.effects[arm].allocated_bytes,
              .reserved_bytes = e.array_bytes};
  add_metrics(m, record, e);
  add_phases(m, arm, e);
  add_quantiles(m, arm, e);
  add_rates(m, arm, e);
}

// Whether both metrics are the call's time or a rate computed from it.
bool says_the_same(const metric& a, const metric& b) {
  const auto of_time = [](reading r) {
    return r == reading::time || r == reading::items_per_second || r == reading::flop_per_second ||
           r == reading::bytes_per_second;
  };
  return of_time(a.reading) && of_time(b.reading);
}

void add_savings(model::family& f) {
  const auto baseline = std::ranges::find(f.measurements, model::role::baseline, &model::measurement::role);
  if (baseline == f.measurements.end() || baseline->memory.peak_bytes <= 0) return;
  for (auto& m : f.measurements) {
    if (!m.metrics.empty()) m.memory.savings = 1 - m.memory.peak_bytes / baseline->memory.peak_bytes;
  }
}

model::comparison compare(const pairing_result& r, const model::family& f, const family_evidence& e) {
  const auto& reference = f.measurements[e.measurement_of[r.pairing.reference]];
  const auto& candidate = f.measurements[e.measurement_of[r.pairing.candidate]];
  model::comparison c{.reference = reference.variant,
                      .candidate = candidate.variant,
                      .metric = e.arms.metric_list()[r.metric].definition,
                      .ratio = r.estimate.ratio,
                      .ci = r.estimate.ci,
                      .level = r.level,
                      .verdict = r.verdict,
                      .headline = r.pairing.judged && !e.definition.informational && !reference.pedagogy,
                      .judged = r.pairing.judged && !e.definition.informational,
                      .pairs = r.estimate.pairs,
                      .aa = e.session.repeatability.ci,
                      .hodges_lehmann = r.hodges_lehmann,
                      .autocorrelation = r.estimate.autocorrelation,
                      .block_length = r.estimate.block_length,
                      .looks = e.session.looks,
                      .alpha_spent = r.estimate.alpha_spent,
                      .ratio_unmarked = r.ratio_unmarked};
  c.libraries = libraries_of(r.pairing, e, f);
  add_checks(c, r, e, f);
  return c;
}

}  // namespace

void summarise(model::family& f, const family_evidence& e) {
  for (std::size_t arm = 0; arm < e.measurement_of.size(); ++arm) {
    fill_measurement(f.measurements[e.measurement_of[arm]], arm, e);
  }
  add_savings(f);
  f.rounds = e.session.rounds;
  f.duty = e.session.wall_s > 0 ? e.session.timed_s / e.session.wall_s : 0;
  add_disturbance(f, e);
  f.checks = family_checks(e);
  for (const auto& r : e.session.results) {
    if (r.metric > 0 && says_the_same(e.arms.metric_list()[r.metric], e.arms.metric_list().front())) continue;
    f.comparisons.push_back(compare(r, f, e));
  }
  for (std::size_t arm = 0; arm < e.measurement_of.size(); ++arm) {
    auto& m = f.measurements[e.measurement_of[arm]];
    m.max_rel_error = larger_relative_error(m, e.rechecked.errors[arm]);
    m.max_abs_error = std::max(m.max_abs_error, e.rechecked.errors[arm].max_abs);
  }
}

}  // namespace ridge::harness
