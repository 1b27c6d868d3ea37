// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/host/team.hpp>

namespace ridge::probe {

// Measures a ceiling once, in half a millisecond, between the samples of a session: clocks and neighbours
// move a ceiling by a fifth within minutes, so only one that is measured beside the samples belongs to them.
class gauge {
 public:
  virtual ~gauge() = default;
  // Returns the rate at this moment, in the unit of the ceiling, on the threads of the team (null: the
  // calling thread, on the CPU where it runs). Returns 0 where something interfered or no such ceiling
  // exists. The first call for an id takes longer, since it prepares. Throws failure when the kernel computes
  // a wrong value.
  [[nodiscard]] virtual double read(std::string_view id, host::team* team) = 0;
};

}  // namespace ridge::probe
