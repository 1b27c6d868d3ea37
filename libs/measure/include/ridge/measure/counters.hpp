// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::measure {

// How often one event of the hardware happened.
struct counter_value {
  std::string name{};  // cycles, instructions, branch_misses, llc_misses
  double value = 0;    // events between start and stop; scaled up where the hardware had to be shared
};

// Counts hardware events of the user code of the calling thread. Counters that are not available do nothing
// and read nothing, so that callers need no second path.
class counters {
 public:
  virtual ~counters() = default;
  // Returns in words why there are none; empty where they work.
  [[nodiscard]] virtual std::string_view unavailable_because() const = 0;
  // Start and stop counting. Both are called by the thread that made the counters.
  virtual void start() = 0;
  virtual void stop() = 0;
  // Returns what was counted between the last start and stop. Counters that never got onto the hardware are
  // left out.
  [[nodiscard]] virtual std::vector<counter_value> read() const = 0;
};

}  // namespace ridge::measure
