// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/measure_family.hpp>

#include <exception>

#include "child/in_child.hpp"
#include "plan/family_frame.hpp"
#include "run/family_session.hpp"
#include "run/family_verification.hpp"
#include "run/timed_stage.hpp"

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
  bool verified = false;
  timed_stage(equipment, "verification", [&] { verified = verify(state); });
  if (verified) measure_verified(state, watch);
  return taken(state);
}

model::family verify_family(const planned_family& family, const instruments& equipment,
                            const run_options& options) {
  family_state state(family, equipment, options);
  (void)verify(state);
  return taken(state);
}

model::family verify_or_record(const planned_family& family, const instruments& equipment,
                               const run_options& options) {
  try {
    return verify_family(family, equipment, options);
  } catch (const std::exception& thrown) {
    return family_without_results(family, thrown);
  }
}

}  // namespace ridge::harness
