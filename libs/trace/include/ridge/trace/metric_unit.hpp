// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::trace {

// The base unit and the factor that a unit of a counter table stands for.
struct scaled_unit {
  std::string_view base{};  // "byte", "ns", "Hz", "byte/s", "%", "cycle", "inst"; else the unit itself
  double factor = 1;        // value x factor is in units of `base`
};
// Parses a unit: "Gbyte/s" gives {"byte/s", 1e9}, "us" gives {"ns", 1000}.
[[nodiscard]] scaled_unit unit_of(std::string_view unit);

}  // namespace ridge::trace
