// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>

namespace ridge::selftest {

// How long one stage of a family took.
struct stage_cost {
  std::string name{};  // as the harness calls it: "verification"
  double seconds = 0;
  bool checks = false;  // the stage exists for the sake of validity; without it the times would be the same
  std::string description{};  // what it does, in words
};

// The stages of some families, in the order in which they first ended, each with its sum over the families.
struct family_costs {
  std::vector<stage_cost> stages{};
  std::size_t families = 0;
  double budget_s = 0;  // that the rounds of all of them might have taken

  // Return the seconds of all stages, and of those that check.
  [[nodiscard]] double seconds() const;
  [[nodiscard]] double check_seconds() const;
  // Return the same for families whose verdicts are settled only at the end of their budgets: the rounds then
  // take all of them, in the same proportions, and every other stage as long as it took.
  [[nodiscard]] double seconds_at_full_budget() const;
  [[nodiscard]] double check_seconds_at_full_budget() const;
};

// A family of two arms that read and write arrays of 1 MiB.
[[nodiscard]] harness::planned_family family_of_two_lines();

// Measures the families one after another in profile standard, in this process, with the meters of
// `equipment`, and returns what their stages took. Families that gave no comparison are left out; where all
// are, the error says why the first one is.
[[nodiscard]] result<family_costs> cost_of_checks(const harness::instruments& equipment,
                                                  std::span<const harness::planned_family> families);

}  // namespace ridge::selftest
