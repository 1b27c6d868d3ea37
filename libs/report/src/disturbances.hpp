// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/model/run.hpp>

namespace ridge::report {

// What disturbed a run as a whole, and what to do about it.
struct disturbance_line {
  std::string
      seen{};  // "context switches: 1204 times another program took the CPU, 61 of 80 rounds disturbed"
  std::string remedy{};  // "close other programs and run again"
};

// One line per kind of disturbance: steal, context switches, CPU quota, the GPU's clock, ceilings in doubt.
// Empty when nothing worth a word happened: fewer than a fifth of all rounds disturbed, no clock held down
// and no ceiling in doubt.
[[nodiscard]] std::vector<disturbance_line> disturbances(const model::run& run);

}  // namespace ridge::report
