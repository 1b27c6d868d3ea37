// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "workload.hpp"

namespace ridge::peers {

// The result of a rule in one trial.
struct outcome {
  bool differs = false;  // the rule called the two arms different
  double ratio = 1;      // its estimate of time of the first arm over time of the second
};

// A method that decides whether two arms differ. Both arms of a trial are `subject`; `budget_s` is the wall
// time in seconds to spend on them together.
struct rule {
  std::string name{};
  outcome (*trial)(workload& subject, double budget_s) = nullptr;
};

[[nodiscard]] outcome google_benchmark(workload& subject, double budget_s);
[[nodiscard]] outcome nanobench_run(workload& subject, double budget_s);
[[nodiscard]] outcome nanobench_compare(workload& subject, double budget_s);
[[nodiscard]] outcome welch(workload& subject, double budget_s);
[[nodiscard]] outcome ridge_paired(workload& subject, double budget_s);

[[nodiscard]] inline std::array<rule, 5> rules() {
  return {{{"google_benchmark", google_benchmark},
           {"nanobench_run", nanobench_run},
           {"nanobench_compare", nanobench_compare},
           {"welch", welch},
           {"ridge", ridge_paired}}};
}

}  // namespace ridge::peers
