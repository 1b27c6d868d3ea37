// SPDX-License-Identifier: Apache-2.0
#include "run/family_state.hpp"

#include <algorithm>

#include <ridge/base/expects.hpp>

#include "plan/family_frame.hpp"

namespace ridge::harness {
namespace {

const instruments& with_a_device(const instruments& equipment) {
  expects(equipment.device != nullptr, "measure_family: no device");
  return equipment;
}

}  // namespace

family_state::family_state(const planned_family& family, const instruments& all_equipment,
                           const run_options& all_options)
    : planned(family),
      definition(*family.experiment),
      equipment(with_a_device(all_equipment)),
      options(all_options),
      result(frame_of(family, equipment, options, variants)),
      guarded(definition, family.problem, equipment) {
  for (const auto& failed : options.refused) {
    const auto found = std::ranges::find(result.measurements, failed.name, &model::measurement::variant);
    if (found == result.measurements.end() || !found->skipped.empty()) continue;
    found->refused = failed.why;
    found->failure = failed.failure;
    found->signal = failed.signal;
    found->stage = failed.stage;
  }
}

double untimed_limit_s(const run_options& options) {
  return options.call_limit_s > 0 ? options.call_limit_s : 2 * options.stall_limit_s;
}

bool can_be_timed(const model::measurement& m) { return m.skipped.empty() && m.refused.empty(); }

}  // namespace ridge::harness
