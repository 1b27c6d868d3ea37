// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/harness/instruments.hpp>
#include <ridge/measure/clock.hpp>

namespace ridge::cheats {

// The clock and the device of the host that `ridge run` takes.
struct laboratory {
  std::unique_ptr<measure::clock> clock{};  // null where the device reads the kernel's clock
  std::unique_ptr<device::device> host{};
  harness::instruments instruments{};

  laboratory();
};

}  // namespace ridge::cheats
