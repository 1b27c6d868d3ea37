// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/cost.hpp>

namespace ridge::plan {

// Checks every number of the question; the error names the first that is out of range.
[[nodiscard]] result<void> check_cost_question(const cost_question& q);

}  // namespace ridge::plan
