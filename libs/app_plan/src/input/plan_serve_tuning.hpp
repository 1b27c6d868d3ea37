// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/objective.hpp>
#include <ridge/plan/serve/step_tuning.hpp>

#include "input/plan_serve_options.hpp"

namespace ridge::app_plan {

// A service whose step limits are searched, and the load that it serves.
struct tuning_question {
  service_choice service{};
  workload_choice load{};
  plan::serve::workload asked{};  // of `load` and `seed`
  std::span<const plan::serve::objective> objectives{};
  std::uint64_t seed = 0;
  int threads = 1;
};

// The choice with these limits in place of its own.
[[nodiscard]] service_choice with_limits(service_choice c, const plan::serve::step_limits& limits);

// Tries the engine's own limits (those that the service names are taken for its own) and all others:
// simulations of the asked load, then of greater and smaller rates of the same requests. `tell` is told how
// far it is; the search ends early when `stop` says so. The error is service_of()'s for the engine's own
// limits.
[[nodiscard]] result<plan::serve::step_tuning> tune_service(const tuning_question& q,
                                                            const std::function<void(std::string_view)>& tell,
                                                            const std::function<bool()>& stop);

}  // namespace ridge::app_plan
