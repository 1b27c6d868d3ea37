// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/comparison.hpp>

#include "summary/summarise.hpp"

namespace ridge::harness {

// Checks of what variants declare about themselves, for one comparison whose ratio and verdict are known:
//   tolerance  a candidate's tolerance is no looser than the reference's, but for its arithmetic's roundoff
//   stage      a candidate that is better stays better when its conversion of inputs is counted
//   observed   the metric is measured by the harness, not reported by bodies
//   speedup    a gain above ten times says where it comes from
// A declaration with a reason is a warning, which lowers the assurance; one without fails.
[[nodiscard]] std::vector<model::check> declaration_checks(const model::comparison& c,
                                                           const pairing_result& r, const model::family& f,
                                                           const family_evidence& e);

}  // namespace ridge::harness
