// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ridge::measure {

// How far a block of work may be disturbed before it is marked.
struct interference_bounds {
  double least_cpu_over_wall = 0.99;
  long most_involuntary_switches = 0;
  long most_voluntary_switches = 0;
  double most_steal_s = 0;
  long most_throttled_periods = 0;
  long most_minor_faults = 0;
  long most_major_faults = 0;
};

// What disturbed one thread between two moments. Such samples are marked, never dropped.
struct interference {
  double wall_s = 0;
  double cpu_over_wall = 1;  // the thread's processor time ÷ wall time
  long involuntary_switches = 0;
  long voluntary_switches = 0;
  double steal_s = 0;  // of all CPUs, in the system's ticks (10 ms)
  long throttled_periods = 0;
  long minor_faults = 0;
  long major_faults = 0;
  bool migrated = false;

  // Returns whether everything is within the bounds.
  [[nodiscard]] bool clean(const interference_bounds& bounds = {}) const;
  // Returns what is out of bounds, for people: "12 % of the time not running", "2 involuntary switches".
  // Empty when the block was clean.
  [[nodiscard]] std::vector<std::string> flags(const interference_bounds& bounds = {}) const;
};

// Watches the calling thread. The same thread calls start and stop.
class interference_meter {
 public:
  virtual ~interference_meter() = default;
  // Starts a block of work.
  virtual void start() = 0;
  // Ends the block and returns what disturbed it.
  [[nodiscard]] virtual interference stop() = 0;
};

}  // namespace ridge::measure
