// SPDX-License-Identifier: Apache-2.0
#include "run/control_sessions.hpp"

#include <fmt/format.h>

#include <ridge/harness/session.hpp>

#include "run/family_verification.hpp"
#include "run/timed_family.hpp"

namespace ridge::harness {
namespace {

control_trials control_sessions(family_state& family, std::size_t measurement, double seconds_each,
                                std::size_t trials) {
  verify_one(family, measurement);
  const auto& m = family.result.measurements[measurement];
  if (!can_be_timed(m)) return {.skipped = m.skipped + m.refused};
  timed_family timed(family);
  timed.bind(measurement);
  timed.bind(measurement);  // with a workspace of its own
  if (timed.measurement_of().size() < 2) return {.skipped = m.skipped};
  timed.fill();
  control_trials all;
  for (std::size_t i = 0; i < trials; ++i) {
    auto p = timed.protocol_for(seconds_each);
    p.seed += i;
    const auto seen = measure(timed.arms(), p, {{.reference = 0, .candidate = 1}}, timed.better());
    all.intervals.push_back(seen.results.front().estimate.ci);
    all.ratios.push_back(seen.results.front().estimate.ratio);
  }
  return all;
}

}  // namespace

control_trials control_of(const planned_family& family, std::string_view variant,
                          const instruments& equipment, const run_options& options, double seconds_each,
                          std::size_t trials) {
  family_state state(family, equipment, options);
  for (std::size_t i = 0; i < state.variants.size(); ++i) {
    if (state.definition.variants[state.variants[i]].name == variant)
      return control_sessions(state, i, seconds_each, trials);
  }
  return {.skipped = fmt::format("{} has no variant {}", state.definition.id, variant)};
}

}  // namespace ridge::harness
