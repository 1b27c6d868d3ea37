// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/model/run.hpp>

#include "session/fail_on.hpp"

namespace ridge::app {

// One benchmark of a change: what was measured, or why nothing was.
struct ci_benchmark {
  std::string name{};
  std::vector<model::family> measured{};  // one, or none
  std::string left_out{};                 // why it was not measured; empty: it was
  bool failed = false;                    // it ended with an error: never passed over
};

// Everything that one call of `ridge ci` found out.
struct ci_outcome {
  std::string base{}, head{};  // commits
  std::string base_name{};     // what `base` was found by
  std::string budget{};        // as it was typed
  model::run run{};            // with the families of all benchmarks
  std::vector<ci_benchmark> benchmarks{};
};

// Returns the judged comparison of the head with the base; null where there is none.
[[nodiscard]] const model::comparison* judged_comparison(const ci_benchmark& benchmark);

// Returns why a benchmark fails under these rules; empty when it passes.
[[nodiscard]] std::string failure_under(const fail_on& rules, const ci_benchmark& benchmark,
                                        double min_effect);

// Returns the comment for a pull request: a table of one row for each benchmark, and what was left out. It
// begins with a line by which a later comment finds and replaces it.
[[nodiscard]] std::string ci_markdown(const ci_outcome& outcome);

// Returns a JUnit file: one test case for each benchmark, failed by the rules, or skipped where it was left
// out.
[[nodiscard]] std::string ci_junit(const ci_outcome& outcome, const fail_on& rules);

}  // namespace ridge::app
