// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/host/team.hpp>

namespace ridge::probe {

// Reads a ceiling once, in half a millisecond, between the samples of a session: clocks and neighbours move a
// ceiling by a fifth within minutes, so that only one read beside the samples belongs to them.
class gauge {
 public:
  virtual ~gauge() = default;
  // The rate at this moment, in the ceiling's unit, on the team's threads (null: the calling thread, where it
  // is). 0 where something came in between or there is no such ceiling. The first reading of an id takes
  // longer, to prepare. Throws failure when the kernel computes a wrong value.
  [[nodiscard]] virtual double read(std::string_view id, host::team* team) = 0;
};

}  // namespace ridge::probe
