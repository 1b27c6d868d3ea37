// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <ridge/harness/session.hpp>

#include "sampling/family_arms.hpp"

namespace ridge::harness {

// Which arms of a family are compared (decision 0022): each own variant with the baseline, judged; each step
// of the ladder with the one before, an interval only; and, once times are known, the best own variant with
// each comparator, judged.
struct family_pairings {
  std::vector<pairing> asked{};
  late_pairings late{};
};

// The pairings of a family's arms.
[[nodiscard]] family_pairings pairings_of(const experiment::definition& definition, const family_arms& arms);

}  // namespace ridge::harness
