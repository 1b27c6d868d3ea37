// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/device/device.hpp>
#include <ridge/harness/instruments.hpp>
#include <ridge/measure/clock.hpp>

namespace ridge::cheats {

// The clock and the device that `ridge run` takes.
struct laboratory {
  std::unique_ptr<measure::clock> clock{};
  std::unique_ptr<device::device> host{};
  harness::instruments instruments{};

  laboratory();
  laboratory(const laboratory&) = delete;
  laboratory& operator=(const laboratory&) = delete;
};

// Sends what the process prints to the file `stdout` of the scratch folder.
void redirect_output();

}  // namespace ridge::cheats
