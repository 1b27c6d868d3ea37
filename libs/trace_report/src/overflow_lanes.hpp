// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace_report {

// Assigns each event of one track, in order, the first lane on which it nests in the open events or follows
// them.
class overflow_lanes {
 public:
  [[nodiscard]] std::uint32_t place(trace::nanoseconds start_ns, trace::nanoseconds end_ns);
  [[nodiscard]] std::uint32_t lanes() const { return static_cast<std::uint32_t>(open_.size()); }

 private:
  std::vector<std::vector<trace::nanoseconds>> open_{};  // ends of open events, innermost last, by lane
};

}  // namespace ridge::trace_report
