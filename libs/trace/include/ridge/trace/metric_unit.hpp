// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::trace {

// A unit as counters' tables write it, and what it stands for.
struct scaled_unit {
  std::string_view base{};  // "byte", "ns", "Hz", "byte/s", "%", "cycle", "inst"; else the unit as it is
  double factor = 1;        // value x factor is in `base`
};
[[nodiscard]] scaled_unit unit_of(
    std::string_view unit);  // "Gbyte/s" -> {"byte/s", 1e9}, "us" -> {"ns", 1000}

}  // namespace ridge::trace
