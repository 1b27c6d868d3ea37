// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/device/device.hpp>
#include <ridge/measure/counters.hpp>
#include <ridge/measure/energy_meter.hpp>
#include <ridge/measure/interference.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::harness {

// What the composition root gives a run. Pointers may be null where the machine offers nothing; none is
// owned.
struct instruments {
  device::device* where = nullptr;                      // the CPU backend's device
  measure::interference_meter* interference = nullptr;  // of the measuring thread
  measure::counters* counters = nullptr;
  measure::energy_meter* energy = nullptr;
  const model::peak* peak = nullptr;  // ceilings of this machine; empty: shares of ceilings are left out
  double clock_resolution_s = 20e-9;
  double clock_cost_s = 20e-9;
  std::string scratch_folder{"/tmp"};  // for generated files
};

}  // namespace ridge::harness
