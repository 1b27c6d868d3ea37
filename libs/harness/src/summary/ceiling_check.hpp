// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/model/comparison.hpp>
#include <ridge/model/measurement.hpp>

namespace ridge::harness {

// A call that reaches a larger share of its ceiling is warned of.
inline constexpr double most_share_of_ceiling = 1.02;

// Checks that no call is faster than the machine's own ceiling: such a call left work out, or the ceiling is
// too low or that of another level. Warns above 102 % of the ceiling. Fails above 125 %, but only without
// doubt: when the slowest rate within the call's interval lies above the highest within the ceiling's, and
// nothing disturbed the ceiling; in doubt it warns, and the evidence says what disturbed the ceiling and what
// to do.
[[nodiscard]] model::check ceiling_check(const model::measurement& reference,
                                         const model::measurement& candidate);

// Why a ceiling is in doubt that may have been measured on a machine as busy as this session found it: more
// than a tenth of its rounds were disturbed (decision 0025). Empty where fewer were.
[[nodiscard]] std::string doubt_of_busy_machine(std::uint64_t disturbed_rounds, std::uint64_t rounds);

// Whether the ceiling was exceeded by so much that the check would have failed but for the doubt.
[[nodiscard]] bool leaves_doubt(const model::check& ceilings);

}  // namespace ridge::harness
