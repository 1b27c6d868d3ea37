// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "summary/summarise.hpp"

namespace ridge::harness {

// Holds what variants and authors claim against what the harness saw itself: spans and phases that bodies
// report, traffic, arithmetic and work that are stated, and the baseline against the oracle.
[[nodiscard]] std::vector<model::check> claim_checks(const model::comparison& c, const pairing_result& r,
                                                     const model::family& f, const family_evidence& e);

}  // namespace ridge::harness
