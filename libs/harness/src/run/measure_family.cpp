// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/harness/runner.hpp>

#include "gpu_families.hpp"
#include "run/family_session.hpp"
#include "run/family_verification.hpp"

namespace ridge::harness {
namespace {

model::family taken(family_state& family) {
  family.places.widen();
  return std::move(family.result);
}

}  // namespace

model::family measure_family(const planned_family& family, const instruments& equipment,
                             const run_options& options, const session_watch& watch) {
  family_state state(family, equipment, options);
  if (verify(state)) measure_verified(state, watch);
  return taken(state);
}

model::family verify_family(const planned_family& family, const instruments& equipment,
                            const run_options& options) {
  family_state state(family, equipment, options);
  (void)verify(state);
  return taken(state);
}

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
