// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/device/simulated_behaviour.hpp>
#include <ridge/device/timer.hpp>

namespace ridge::device {

// The time of a simulated device, which passes only when told to, and the clocks that show it.
class simulated_time {
 public:
  // Bug: a clock that does not run forward.
  explicit simulated_time(simulated_behaviour behaviour);

  // The true time on the device's own queue, which its clocks only approximate.
  [[nodiscard]] double seconds() const { return seconds_; }
  // Lets work of this many seconds at full speed pass: on the device's own queue, or on another whose own
  // time is `queue_seconds`.
  void advance(double seconds) { advance(seconds, seconds_); }
  void advance(double seconds, double& queue_seconds);
  // Lets the own queue wait until `seconds`.
  void wait_until(double seconds);
  // Stops time, as while work is recorded, or lets it go on.
  void stop(bool stopped) { stopped_ = stopped; }
  [[nodiscard]] bool stopped() const { return stopped_; }

  // What timer::mark, seconds_between and the clock readings are on this device.
  [[nodiscard]] timestamp mark();
  [[nodiscard]] double seconds_between(timestamp start, timestamp end) const;
  [[nodiscard]] clock_reading read_clocks();

 private:
  [[nodiscard]] double speed_at(double seconds) const;

  simulated_behaviour behaviour_;
  double seconds_ = 0;
  std::uint64_t draws_ = 0;
  bool stopped_ = false;
};

}  // namespace ridge::device
