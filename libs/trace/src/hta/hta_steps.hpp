// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hta/hta_rows.hpp"

namespace ridge::trace {

// Returns the number of a name such as "ProfilerStep#12" or "ProfilerStep # 12".
[[nodiscard]] std::optional<std::int64_t> hta_step_number(std::string_view name);

// Which ProfilerStep a time lies in. Where steps overlap (the device's mirror of one), the one that stands
// last in the file holds.
class hta_step_clock {
 public:
  hta_step_clock(const trace& t, const hta_rows& rows, const hta_options& options);
  [[nodiscard]] std::int64_t step_at(nanoseconds t) const;  // -1: none

 private:
  std::vector<nanoseconds> starts_{};  // ascending
  std::vector<std::int64_t> steps_{};  // from starts_[i] on
};

}  // namespace ridge::trace
