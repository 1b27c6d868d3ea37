// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ridge/measure/counters.hpp>

namespace ridge::measure {

// Counts events of the programs that the calling thread starts, and of everything that they start, from their
// first instruction to their end. This process itself is not counted. Made and used by the thread that starts
// them.
class child_events {
 public:
  virtual ~child_events() = default;
  // Returns the events that are counted, in the order in which they were asked for.
  [[nodiscard]] virtual const std::vector<std::string>& names() const = 0;
  // Returns the events that cannot be counted here, each with the reason in words.
  [[nodiscard]] virtual const std::vector<std::pair<std::string, std::string>>& refused() const = 0;
  // Returns what was counted since this object was made of children that have ended, in the order of names().
  // Values are scaled up where the hardware had to be shared, and NaN where an event could not be counted.
  [[nodiscard]] virtual std::vector<counter_value> read() const = 0;
};

}  // namespace ridge::measure
