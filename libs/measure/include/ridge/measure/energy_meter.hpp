// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::measure {

// Meters the energy of the whole machine or package, including the work of other programs.
class energy_meter {
 public:
  virtual ~energy_meter() = default;
  // Returns in words why there is none; empty where it works.
  [[nodiscard]] virtual std::string_view unavailable_because() const = 0;
  // Returns what is metered: "package-0, dram".
  [[nodiscard]] virtual std::string_view name() const = 0;
  // Returns the joules used since the meter was made; never decreases. Returns 0 where unavailable. Throws
  // io_failure when a meter disappears.
  [[nodiscard]] virtual double joules() = 0;
  // Returns the seconds between updates of the meter; intervals of fewer than about ten updates say little.
  [[nodiscard]] virtual double resolution_s() const = 0;
};

}  // namespace ridge::measure
