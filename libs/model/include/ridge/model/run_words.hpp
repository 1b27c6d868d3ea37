// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/run.hpp>

namespace ridge::model {

// Returns how the refused variants of the run failed, by kind: "1 crashed, 2 wrong output"; empty where none
// was refused.
[[nodiscard]] std::string failures_in_words(const run& run);

// Returns the problems without results by reason, the first four of each by name: "7 problems (the budget of
// 5 s was used up): ch01.coalescing stride=2^6, ... and 3 more; 1 problem (...)". Empty where there are none.
[[nodiscard]] std::string left_out_in_words(const run& run);

}  // namespace ridge::model
