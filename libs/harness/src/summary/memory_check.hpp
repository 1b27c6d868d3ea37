// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "summary/summarise.hpp"

namespace ridge::harness {

// The memory that is reported of a variant, in bytes, by what an untimed process and the one that times saw
// it take: the first, unless the other is clearly larger.
[[nodiscard]] double reported_memory(double untimed, double timed);

// Warns where an arm of the pairing takes more memory where it is timed than it takes elsewhere.
[[nodiscard]] model::check memory_check(const pairing_result& r, const family_evidence& e);

}  // namespace ridge::harness
