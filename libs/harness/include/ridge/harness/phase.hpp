// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge {

// A part of a call that bodies mark: `inline constexpr phase loading{"loading"};` beside the workload, listed
// in the experiment's `.phases`, marked by `const auto marked = c.in(loading);`. Equal names are the same
// phase.
struct phase {
  std::string_view name{};
};

// A duration that bodies observe many times in a call: `inline constexpr observable latency{"latency"};`
// beside the workload, listed in the experiment's `.observed`, noted by `c.observe(latency, start, end)`.
struct observable {
  std::string_view name{};
};

}  // namespace ridge
