// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/session_checks.hpp>

#include <fmt/format.h>

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

model::check drift_check(const pairing_result& pair) {
  return {.id = "drift",
          .result = pair.estimate.halves_agree ? outcome::pass : outcome::warn,
          .evidence = pair.estimate.halves_agree ? "both halves of the session agree"
                                                 : "the halves of the session disagree"};
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
