// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/run_all.hpp>

#include <algorithm>
#include <exception>

#include <ridge/harness/measure_family.hpp>
#include <ridge/harness/scaling_check.hpp>
#include <ridge/harness/session.hpp>

#include "audit/gpu_audits.hpp"
#include "plan/family_frame.hpp"
#include "run/gpu_process.hpp"

namespace ridge::harness {
namespace {

constexpr double untimed_share = 0.35;  // share of verification, passes and rechecks in a family's wall time

// The options with the next family's budget, so that the families left share the rest of the suite's budget.
run_options shared_out(run_options options, double left_s, std::size_t families_left, std::size_t arms) {
  if (options.suite_budget_s <= 0) return options;
  const double each = std::max(0.05, left_s / static_cast<double>(families_left) * (1 - untimed_share));
  options.profile.budget_per_arm_s =
      std::min(options.profile.budget_per_arm_s, each / static_cast<double>(std::max<std::size_t>(arms, 1)));
  return options;
}

std::size_t arms_of(const planned_family& f) {
  return static_cast<std::size_t>(
      std::ranges::count(f.experiment->variants, f.backend, &variant_facts::backend));
}

// A failure is recorded with its family; the families after it are measured all the same.
model::family measure_or_record(const planned_family& family, const instruments& equipment,
                                const run_options& options, const session_watch& watch, model::peak& peak) {
  if (family.backend == model::backend::cuda) {
    const auto measure = [&](const planned_family& f, const instruments& own, const run_options& chosen) {
      return measure_family(f, own, chosen, watch);
    };
    auto own = equipment;
    if (equipment.peak) own.peak = &peak;
    return on_gpu({&family, 1}, own, measure, options, &peak).front();
  }
  try {
    return measure_family_in_child(family, equipment, options, watch);
  } catch (const std::exception& thrown) {
    return family_without_results(family, thrown.what());
  }
}

}  // namespace

model::run run_all(model::run header, const std::vector<planned_family>& families,
                   const instruments& equipment, const run_options& options, listener& observer) {
  const double start = monotonic_seconds();
  header.profile = options.profile.name;
  header.seed = options.protocol.seed;
  header.min_effect = options.protocol.min_effect;
  header.level = 1 - options.protocol.alpha;
  if (equipment.peak) header.peak = *equipment.peak;
  observer.run_started(header);
  gpu_audits audits(families, equipment, options);
  for (std::size_t i = 0; i < families.size() && !observer.wants_stop(); ++i) {
    const auto problem = model::text(families[i].problem.point());
    const auto tell = [&](std::string_view stage, double fraction) {
      const double gone = monotonic_seconds() - start;
      const double done = static_cast<double>(i) + fraction;
      const double remaining = done > 0.1 ? gone / done * (static_cast<double>(families.size()) - done) : 0;
      observer.advanced(
          {families[i].experiment->id, problem, stage, fraction, i, families.size(), remaining});
      return !observer.wants_stop();
    };
    tell("verify", 0);
    const double left = options.suite_budget_s - (monotonic_seconds() - start);
    if (options.suite_budget_s > 0 && left <= 0) break;
    auto own = shared_out(options, left, families.size() - i, arms_of(families[i]));
    own.stop_requested = [&] { return observer.wants_stop(); };
    auto measured = measure_or_record(
        families[i], equipment, own, [&](const session_progress& p) { return tell("measure", p.fraction); },
        header.peak);
    if (measured.comparisons.empty() && observer.wants_stop()) break;  // it came to no result in time
    audits.add_to(i, measured, observer.wants_stop());
    add_scaling_checks(measured, header.families, families[i].experiment);
    header.wall_s = monotonic_seconds() - start;
    observer.family_finished(header, measured);
    header.families.push_back(std::move(measured));
  }
  header.wall_s = monotonic_seconds() - start;
  observer.run_finished(header);
  return header;
}

}  // namespace ridge::harness
