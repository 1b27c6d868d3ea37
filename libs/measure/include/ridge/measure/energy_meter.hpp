// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::measure {

// Energy of the whole machine or package, other programs' work included.
class energy_meter {
 public:
  virtual ~energy_meter() = default;
  // Why there is none, in words; empty where it works.
  [[nodiscard]] virtual std::string_view unavailable_because() const = 0;
  // What is metered: "package-0, dram".
  [[nodiscard]] virtual std::string_view name() const = 0;
  // Since the meter was made; never decreases. 0 where unavailable. Throws io_failure when a meter goes away.
  [[nodiscard]] virtual double joules() = 0;
  // Seconds between updates of the meter: intervals below some ten of them say little.
  [[nodiscard]] virtual double resolution_s() const = 0;
};

}  // namespace ridge::measure
