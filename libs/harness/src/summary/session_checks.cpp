// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/session_checks.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/harness/verdict.hpp>

namespace ridge::harness {

using model::outcome;

model::check warm_check(const session_record& session) {
  return {.id = "warm",
          .result = session.warm ? outcome::pass : outcome::warn,
          .value = session.warm_up_s,
          .unit = "s",
          .evidence = session.warm ? "each arm steady within 1 %"
                                   : "an arm was not steady within 1 % when the warm-up ended"};
}

model::check control_check(const session_record& session) {
  const auto& c = session.repeatability;
  const bool one = c.ci.contains(1);
  return {.id = "control",
          .result = one ? outcome::pass : outcome::warn,
          .value = c.ratio,
          .unit = "",
          .evidence =
              fmt::format("the baseline against itself, round by round: [{:.4f}, {:.4f}]", c.ci.lo, c.ci.hi)};
}

model::check interference_check(const session_record& session, const measure::interference* seen) {
  if (seen == nullptr) return {.id = "interference", .evidence = "no meter on this machine"};
  constexpr double disturbed_at_most = 0.5;
  const auto marked = static_cast<double>(std::ranges::count(session.marked, 1));
  const double share = marked / static_cast<double>(std::max<std::size_t>(session.marked.size(), 1));
  return {
      .id = "interference",
      .result = share > disturbed_at_most ? outcome::warn : outcome::pass,
      .value = share,
      .limit = disturbed_at_most,
      .unit = "1",
      .evidence = fmt::format(
          "{} of {} rounds disturbed: {} involuntary switches, {:.2f} s stolen, {} throttled periods", marked,
          session.marked.size(), seen->involuntary_switches, seen->steal_s, seen->throttled_periods)};
}

model::check drift_check(const pairing_result& pair) {
  return {.id = "drift",
          .result = pair.estimate.halves_agree ? outcome::pass : outcome::warn,
          .evidence = pair.estimate.halves_agree ? "both halves of the session agree"
                                                 : "the halves of the session disagree"};
}

model::check noise_check(const pairing_result& pair, const pair_estimate& repeatability, double min_effect) {
  return noise_check(pair.estimate.ratio, pair.estimate.ci, repeatability.ci, min_effect);
}

model::check noise_check(double ratio, const interval& ratio_ci, const interval& noise, double min_effect) {
  if (noise.lo <= 0 || !std::isfinite(noise.hi))
    return {.id = "noise", .evidence = "too few rounds to hold the baseline against itself"};
  const auto by_interval = judge(ratio_ci, min_effect);
  const bool held_back = above_noise(by_interval, ratio, noise) != by_interval;
  return {.id = "noise",
          .result = held_back ? outcome::warn : outcome::pass,
          .value = std::max(noise.hi, 1 / noise.lo) - 1,
          .unit = "1",
          .evidence = held_back
                          ? "the baseline differs from itself by more than the ratio does from 1, which is "
                            "neither BETTER nor WORSE; take more samples, or measure on a calmer machine"
                          : "how far the baseline differs from itself"};
}

model::check dependence_check(const pairing_result& pair) {
  const bool blocked = pair.estimate.block_length > 1;
  return {.id = "dependence",
          .result = outcome::pass,
          .value = pair.estimate.autocorrelation,
          .unit = "",
          .evidence = blocked ? fmt::format("neighbours depend: medians of {} pairs were used",
                                            pair.estimate.block_length)
                              : "neighbours are independent"};
}

}  // namespace ridge::harness
