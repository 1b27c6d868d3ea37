// SPDX-License-Identifier: Apache-2.0
#include "verify/recheck.hpp"

#include <algorithm>
#include <optional>
#include <random>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>

#include "data/compare_outputs.hpp"
#include "data/fingerprint.hpp"
#include "data/host_twin.hpp"
#include "verify/verification.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t sampled_elements = 64;
constexpr std::size_t calls_in_a_row_at_most = 32;
constexpr std::size_t calls_on_poison = 16;  // of these; the others find old results in wrong places
// Spent for each arm whatever the budget is, so that a short run is no way around this check.
constexpr double calls_in_a_row_s = 0.05;

bool are_whole(const result_bytes& results, const memory& arrays) {
  std::size_t next = 0;
  for (const auto& a : arrays.arrays()) {
    if (is_result(a) && results.at(next++).size() != a.bytes().size()) return false;
  }
  return true;
}

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
    result_.errors.resize(arms.arms());
  }

  recheck_result run(double budget_s) {
    const double start = monotonic_seconds();
    for (const auto& kept : arms_.results().kept()) {
      for (std::size_t i = 0; i < kept.data.size(); ++i) one_member(kept, i);
      ++result_.rounds;
      if (monotonic_seconds() - start > budget_s) break;
    }
    calls_in_a_row(std::max(calls_in_a_row_s * static_cast<double>(arms_.arms()), budget_s / 4));
    return std::move(result_);
  }

 private:
  void one_member(const kept_round& kept, std::size_t i) {
    const auto index = kept.first_member + i;
    std::optional<std::size_t> first;
    for (const auto& [arm, results] : kept.by_arm) {
      if (i >= results.prints.size()) continue;
      auto& member = arms_.member(arm, index);
      // The oracle's answers serve all arms of the round; what has to run again needs its own data again.
      if (!first || !by_oracle_) member.restore(kept.data[i]);
      if (!first && by_oracle_) expected_ = &answers_for(member);
      first = first.value_or(arm);
      const auto why = wrong_in(arm, index, results, i);
      if (!why.empty() && result_.wrong[arm].empty())
        result_.wrong[arm] = fmt::format("round {}: {}", kept.round, why);
    }
  }

  // Keeps the arm's error; why its results are wrong.
  std::string noted(std::size_t arm, const output_difference& difference) {
    auto& error = result_.errors[arm];
    error.max_abs = std::max(error.max_abs, difference.max_abs);
    error.max_rel = std::max(error.max_rel, difference.max_rel);
    error.compared += difference.compared;
    if (difference.compared > 0) error.of_calls.push_back(difference.max_rel);
    return difference.why;
  }

  tolerance within(std::size_t arm) const { return definition_.within(arms_.arm(arm).variant, problem_); }

  // What is wrong with the results that the sample left in the round's member `i`, which is the ring's
  // `index`.
  std::string wrong_in(std::size_t arm, std::size_t index, const sample_results& results, std::size_t i) {
    const bool kept = i < results.outputs.size();
    if (by_oracle_ && kept) {
      copy_results(expected_->memory, expected_copy_, results.prints[i].pieces_key);
      auto why = noted(arm, compare_outputs(views_of(results.outputs[i]), expected_->memory,
                                            views_of(expected_copy_), within(arm)));
      const bool places_are_the_arrays = why.empty() || are_whole(results.outputs[i], expected_->memory);
      return places_are_the_arrays ? why : why + " (places among the pages that were looked at)";
    }
    if (by_oracle_) {
      const auto& seen = results.prints[i];
      const auto expected = take_fingerprint(expected_->memory, !seen.digests.empty(), seen.pieces_key);
      return disagreement(seen, expected, within(arm));
    }
    auto& member = arms_.member(arm, index);
    if (!kept) return again(arm, index, member, results.prints[i]);
    auto& on_host = twin_.drawn(member).get();
    put_results(results.outputs[i], on_host.memory);
    return against_properties(arm, on_host);
  }

  // The workload in host memory with the oracle's answers to the member's data in its outputs.
  ridge::member& answers_for(keyed_member& member) {
    auto& on_host = twin_.drawn(member).get();
    definition_.oracle(on_host);
    return on_host;
  }

  // Compares elements drawn now, and the stated property.
  std::string against_properties(std::size_t arm, ridge::member& on_host) {
    if (definition_.has_element) {
      const auto element = [&](std::size_t i) { return definition_.element(on_host, i); };
      const auto difference =
          compare_samples(on_host.memory, element, within(arm), lots_(), sampled_elements);
      if (auto why = noted(arm, difference); !why.empty()) return why;
    }
    if (!definition_.has_check) return {};
    const auto checked = definition_.check(on_host);
    return checked ? std::string{} : checked.why().text();
  }

  std::string again(std::size_t arm, std::size_t index, keyed_member& member, const fingerprint& seen) {
    const auto now = arms_.run_once(arm, index, seen.pieces_key);
    if (auto why = disagreement(seen, now, within(arm)); !why.empty())
      return "does not repeat itself: " + why;
    return against_properties(arm, twin_.seen(member).get());
  }

  // Catches a body that computes only in some calls, by calls in a row, each on new data; and one that does
  // less where it finds no poison, by those of them that find old results. All arms are called on the same
  // data, so that the oracle answers once for all of them.
  void calls_in_a_row(double budget_s) {
    if (!by_oracle_ || arms_.arms() == 0 || arms_.member(0, 0).has_files()) return;
    const auto members = members_of_arms();
    for (auto* other : members) other->restore(members.front()->state());
    result_bytes answers, answers_before;
    const double start = monotonic_seconds();
    for (std::size_t i = 0; i < calls_in_a_row_at_most && monotonic_seconds() - start < budget_s; ++i) {
      for (auto* member : members) member->touch();
      std::swap(answers, answers_before);
      copy_results(answers_for(*members.front()).memory, answers);
      for (std::size_t arm = 0; arm < arms_.arms(); ++arm)
        one_call(arm, i, answers, i < calls_on_poison ? nullptr : &answers_before);
    }
  }

  // Calls the arm on poisoned outputs, or on outputs that hold `old` results.
  void one_call(std::size_t arm, std::size_t i, const result_bytes& answers, const result_bytes* old) {
    auto& arrays = arms_.member(arm, 0).get().memory;
    if (old) {
      put_results(*old, arrays);
      (void)arms_.run_on_old_results(arm, 0);
    } else {
      (void)arms_.run_once(arm, 0);
    }
    const results_in_place left(arrays);
    const auto why = noted(arm, compare_outputs(left.views(), arrays, views_of(answers), within(arm)));
    if (!why.empty() && result_.skips[arm].empty())
      result_.skips[arm] = fmt::format("call {} in a row: {}", i, why);
  }

  // The first member of each ring that arms use.
  std::vector<keyed_member*> members_of_arms() const {
    std::vector<keyed_member*> all;
    for (std::size_t arm = 0; arm < arms_.arms(); ++arm) {
      auto* member = &arms_.member(arm, 0);
      if (std::ranges::find(all, member) == all.end()) all.push_back(member);
    }
    return all;
  }

  const experiment::definition& definition_;
  const problem& problem_;
  family_arms& arms_;
  host_twin twin_;
  bool by_oracle_ = false;
  ridge::member* expected_ = nullptr;  // the oracle's answers for the member that is looked at
  result_bytes expected_copy_{};       // what is looked at of them
  std::random_device lots_{};          // what is looked at is drawn when everything has run
  recheck_result result_;
};

}  // namespace

recheck_result recheck(const experiment::definition& definition, const problem& p, family_arms& arms,
                       const instruments& equipment, double budget_s) {
  return rechecker(definition, p, arms, equipment).run(budget_s);
}

}  // namespace ridge::harness
