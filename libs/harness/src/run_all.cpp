// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>

#include <ridge/harness/runner.hpp>
#include <ridge/harness/session.hpp>

#include "gpu_audits.hpp"
#include "gpu_families.hpp"

namespace ridge::harness {
namespace {

constexpr double untimed_share = 0.35;  // of a family's wall time: verification, passes, rechecks

// The protocol's budget of the next family so that those left share what is left of the suite's.
run_options shared_out(run_options options, double left_s, std::size_t families_left, std::size_t arms) {
  if (options.suite_budget_s <= 0) return options;
  const double each = std::max(0.05, left_s / static_cast<double>(families_left) * (1 - untimed_share));
  options.profile.budget_per_arm_s =
      std::min(options.profile.budget_per_arm_s, each / static_cast<double>(std::max<std::size_t>(arms, 1)));
  return options;
}

std::size_t arms_of(const planned_family& f) {
  return static_cast<std::size_t>(std::ranges::count(f.of->variants, f.backend, &variant_facts::backend));
}

// What fails one family is recorded with it; the families after it are measured all the same.
model::family measure_or_record(const planned_family& what, const instruments& with,
                                const run_options& options, const session_watch& watch, model::peak& peak) {
  if (what.backend == model::backend::cuda) {
    const auto measure = [&](const planned_family& f, const instruments& own) {
      return measure_family(f, own, options, watch);
    };
    auto own = with;
    if (with.peak) own.peak = &peak;
    return on_gpu({&what, 1}, own, measure, &peak).front();
  }
  try {
    return measure_family(what, with, options, watch);
  } catch (const std::exception& thrown) {
    return family_without_results(what, thrown.what());
  }
}

}  // namespace

model::run run_all(model::run header, const std::vector<planned_family>& families, const instruments& with,
                   const run_options& options, listener& to) {
  const double start = monotonic_seconds();
  header.profile = options.profile.name;
  header.seed = options.protocol.seed;
  header.min_effect = options.protocol.min_effect;
  header.level = 1 - options.protocol.alpha;
  if (with.peak) header.peak = *with.peak;
  to.run_started(header);
  gpu_audits audits(families, with, options);
  for (std::size_t i = 0; i < families.size() && !to.wants_stop(); ++i) {
    const auto problem = model::text(families[i].at.point());
    const auto tell = [&](std::string_view stage, double fraction) {
      const double gone = monotonic_seconds() - start;
      const double done = static_cast<double>(i) + fraction;
      const double remaining = done > 0.1 ? gone / done * (static_cast<double>(families.size()) - done) : 0;
      to.advanced({families[i].of->id, problem, stage, fraction, i, families.size(), remaining});
      return !to.wants_stop();
    };
    tell("verify", 0);
    const double left = options.suite_budget_s - (monotonic_seconds() - start);
    if (options.suite_budget_s > 0 && left <= 0) break;
    const auto own = shared_out(options, left, families.size() - i, arms_of(families[i]));
    auto measured = measure_or_record(
        families[i], with, own, [&](const session_progress& p) { return tell("measure", p.fraction); },
        header.peak);
    audits.add_to(i, measured, to.wants_stop());
    header.wall_s = monotonic_seconds() - start;
    to.family_finished(header, measured);
    header.families.push_back(std::move(measured));
  }
  header.wall_s = monotonic_seconds() - start;
  to.run_finished(header);
  return header;
}

}  // namespace ridge::harness
