// SPDX-License-Identifier: Apache-2.0
#include "verify/recheck.hpp"

#include <algorithm>

#include <ridge/harness/session.hpp>

#include "data/compare_outputs.hpp"
#include "data/host_twin.hpp"
#include "verify/verification.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t sampled_elements = 64;
constexpr std::size_t calls_in_a_row = 16;
// Spent whatever the budget is, so that a short run is no way around this check.
constexpr double calls_in_a_row_s = 0.02;

class rechecker {
 public:
  rechecker(const experiment::definition& definition, const problem& p, family_arms& arms,
            const instruments& equipment)
      : definition_(definition), problem_(p), arms_(arms), twin_(definition, p, equipment) {
    by_oracle_ = definition.has_oracle && !samples_elements(definition, p);
    result_.method = by_oracle_ ? "oracle" : definition.has_element ? "elements" : "check";
    result_.drawn = arms.results().kept().size();
    result_.wrong.resize(arms.arms());
    result_.skips.resize(arms.arms());
  }

  recheck_result run(double budget_s) {
    const double start = monotonic_seconds();
    for (const auto& kept : arms_.results().kept()) {
      for (std::size_t i = 0; i < kept.data.size(); ++i) one_member(kept, i);
      ++result_.rounds;
      if (monotonic_seconds() - start > budget_s) break;
    }
    for (std::size_t arm = 0; arm < arms_.arms(); ++arm)
      every_call(arm, std::max(calls_in_a_row_s, budget_s / 4 / static_cast<double>(arms_.arms())));
    return std::move(result_);
  }

 private:
  void one_member(const kept_round& kept, std::size_t i) {
    const auto index = kept.first_member + i;
    for (const auto& [arm, prints] : kept.by_arm) {
      auto& at = arms_.member(arm, index);
      at.restore(kept.data[i]);
      std::string why = by_oracle_ ? against_oracle(arm, at, prints[i]) : again(arm, index, at, prints[i]);
      if (!why.empty() && result_.wrong[arm].empty()) {
        result_.wrong[arm] = "round " + std::to_string(kept.round) + ": " + why;
      }
    }
  }

  tolerance within(std::size_t arm) const { return definition_.within(arms_.arm(arm).variant, problem_); }

  std::string against_oracle(std::size_t arm, keyed_member& member, const fingerprint& seen) {
    auto& on_host = twin_.drawn(member);
    definition_.oracle(on_host.get());
    const auto expected = take_fingerprint(on_host.get().memory, !seen.digests.empty());
    on_host.restore_inouts();
    return disagreement(seen, expected, within(arm));
  }

  std::string again(std::size_t arm, std::size_t index, keyed_member& member, const fingerprint& seen) {
    const auto now = arms_.run_once(arm, index);
    if (auto why = disagreement(seen, now, within(arm)); !why.empty())
      return "does not repeat itself: " + why;
    if (definition_.has_element) {
      const auto& on_host = twin_.seen(member).get();
      const auto element = [&](std::size_t i) { return definition_.element(on_host, i); };
      const auto difference =
          compare_samples(on_host.memory, element, within(arm),
                          mix_keys(member.state().base, member.state().touches), sampled_elements);
      if (!difference.why.empty()) return difference.why;
    }
    if (!definition_.has_check) return {};
    const auto checked = definition_.check(twin_.seen(member).get());
    return checked ? std::string{} : checked.why().text();
  }

  // Catches a body that computes only in some calls, by calls in a row, each on new data and poisoned
  // outputs.
  void every_call(std::size_t arm, double budget_s) {
    if (!by_oracle_ || !arms_.may_loop()) return;
    const double start = monotonic_seconds();
    auto& at = arms_.member(arm, 0);
    for (std::size_t i = 0; i < calls_in_a_row && monotonic_seconds() - start < budget_s; ++i) {
      at.touch();
      const auto seen = arms_.run_once(arm, 0);
      const auto why = against_oracle(arm, at, seen);
      if (!why.empty() && result_.skips[arm].empty())
        result_.skips[arm] = "call " + std::to_string(i) + " in a row: " + why;
    }
  }

  const experiment::definition& definition_;
  const problem& problem_;
  family_arms& arms_;
  host_twin twin_;
  bool by_oracle_ = false;
  recheck_result result_;
};

}  // namespace

recheck_result recheck(const experiment::definition& definition, const problem& p, family_arms& arms,
                       const instruments& equipment, double budget_s) {
  return rechecker(definition, p, arms, equipment).run(budget_s);
}

}  // namespace ridge::harness
