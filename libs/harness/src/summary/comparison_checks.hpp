// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <ridge/model/comparison.hpp>

#include "summary/summarise.hpp"

namespace ridge::harness {

// The checks of the whole family: interference, warm-up, the baseline against itself, counters, energy and
// clocks.
[[nodiscard]] std::vector<model::check> family_checks(const family_evidence& e);

// The check of this id, or null.
[[nodiscard]] const model::check* find_check(const std::vector<model::check>& checks, std::string_view id);

// Adds the checks of one comparison. A failed check makes its verdict INVALID, a missing oracle and property
// UNVERIFIED. Sets the assurance: 1 verified, 2 audited too, and no ceiling exceeded, not even one in doubt.
void add_checks(model::comparison& c, const pairing_result& r, const family_evidence& e,
                const model::family& f);

}  // namespace ridge::harness
