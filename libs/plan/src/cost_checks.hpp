// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/cost.hpp>

namespace ridge::plan {

// Whether every number of the question can be; the error names the first that cannot.
[[nodiscard]] result<void> check_cost_question(const cost_question& q);

}  // namespace ridge::plan
