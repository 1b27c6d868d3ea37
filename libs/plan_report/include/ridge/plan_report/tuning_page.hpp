// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/plan/serve/step_tuning.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// Step limits that were tried on a service, of which the first are the engine's own.
struct tuning_view {
  const plan::serve::step_tuning* tuning = nullptr;  // not null, and not empty
  std::string service{}, load{};
  std::vector<std::string> objectives{};  // as they are written; empty: only saturation counts
  bool closed_loop = false;
};

// "ridge.plan.tuning/1": the best limits beside the engine's own, the frontier of TTFT and TPOT under the
// asked load; JSON and CSV have all that was tried.
[[nodiscard]] report::document tuning_page(const tuning_view& v);

}  // namespace ridge::plan_report
