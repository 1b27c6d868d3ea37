// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/session.hpp>
#include <ridge/measure/interference.hpp>
#include <ridge/model/comparison.hpp>

namespace ridge::harness {

// The checks that follow from a session alone, whatever its arms are. Each returns one check, which passes or
// warns.
// "warm": whether every arm was steady when the warm-up ended.
[[nodiscard]] model::check warm_check(const session_record& session);
// "control": how the baseline differs from itself between a round and its mirror.
[[nodiscard]] model::check control_check(const session_record& session);
// "drift": whether both halves of the session give the same ratio.
[[nodiscard]] model::check drift_check(const pairing_result& pair);
// "noise": how far the baseline differs from itself; it warns where that alone keeps the pair from being
// BETTER or WORSE by `min_effect`.
[[nodiscard]] model::check noise_check(const pairing_result& pair, const pair_estimate& repeatability,
                                       double min_effect);
// The same of a ratio, its interval and that of the baseline against itself.
[[nodiscard]] model::check noise_check(double ratio, const interval& ratio_ci, const interval& noise,
                                       double min_effect);
// "dependence": whether neighbouring ratios depend on each other, and what was done about it.
[[nodiscard]] model::check dependence_check(const pairing_result& pair);
// "interference": the share of rounds that other work on the machine disturbed; half of them at most. `seen`
// is what the meter counted over the session, null where the machine has no meter.
[[nodiscard]] model::check interference_check(const session_record& session,
                                              const measure::interference* seen);

}  // namespace ridge::harness
