// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/harness/instruments.hpp>

namespace ridge::selftest {

// How long one stage of a family took.
struct stage_cost {
  std::string name{};  // as the harness calls it: "verification"
  double seconds = 0;
  bool checks = false;  // the stage exists for the sake of validity; without it the times would be the same
  std::string description{};  // what it does, in words
};

// The stages of one family, in the order in which they ended.
struct family_cost {
  std::vector<stage_cost> stages{};
  double budget_s = 0;  // that the rounds might have taken

  // Return the seconds of all stages, and of those that check.
  [[nodiscard]] double seconds() const;
  [[nodiscard]] double check_seconds() const;
  // Return the same for a family whose verdict is settled only at the end of its budget: the rounds then take
  // all of it, in the same proportions, and every other stage as long as it took.
  [[nodiscard]] double seconds_at_full_budget() const;
  [[nodiscard]] double check_seconds_at_full_budget() const;
};

// Measures a family of two arms that read and write arrays of 1 MiB, in profile standard, on the device of
// `equipment` with its meters, and returns what each stage took. An error says why nothing was measured.
[[nodiscard]] result<family_cost> cost_of_checks(const harness::instruments& equipment);

}  // namespace ridge::selftest
