// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hta/hta_rows.hpp"

namespace ridge::trace {

// The call that HTA takes as a launch on Meta's accelerator.
inline constexpr std::string_view mtia_launch = "runFunction - job_prep_and_submit_for_execution";

using hta_works_by_correlation = std::unordered_map<std::uint32_t, std::vector<const hta_row*>>;

// Returns the device's rows by the correlation that they were launched with; rows without one are left out.
[[nodiscard]] inline hta_works_by_correlation device_rows(const hta_rows& rows) {
  hta_works_by_correlation out;
  for (const auto& r : rows.device) {
    if (r.correlation != 0) out[r.correlation].push_back(&r);
  }
  return out;
}

}  // namespace ridge::trace
