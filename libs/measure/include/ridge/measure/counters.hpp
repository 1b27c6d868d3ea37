// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::measure {

struct counter_value {
  std::string name{};  // cycles, instructions, branch_misses, llc_misses
  double value = 0;    // events between start and stop; scaled up where the hardware had to be shared
};

// Events of the calling thread's user code. One that is not available does nothing and reads nothing, so that
// a caller needs no second path.
class counters {
 public:
  virtual ~counters() = default;
  // Why there are none, in words; empty where they work.
  [[nodiscard]] virtual std::string_view unavailable_because() const = 0;
  // Called by the thread that made it.
  virtual void start() = 0;
  virtual void stop() = 0;
  // What was counted between the last start and stop. Counters that never got onto the hardware are left out.
  [[nodiscard]] virtual std::vector<counter_value> read() const = 0;
};

}  // namespace ridge::measure
