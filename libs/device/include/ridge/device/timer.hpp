// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::device {

// A point in a queue's time. Only differences have a meaning; seconds_between gives them.
struct timestamp {
  std::uint64_t ticks = 0;
};

// One reading of the device's own clocks, which takes some microseconds.
struct clock_reading {
  double hz = 0;  // frequency of its processors during the reading
  std::uint64_t begin_ns = 0,
                end_ns = 0;  // span of the reading on its real-time clock, whose zero is arbitrary
};

// The clock of a device's own queue: what samples are timed by.
class timer {
 public:
  virtual ~timer() = default;
  // Enqueues a mark on the device's own queue; the host does not wait.
  [[nodiscard]] virtual timestamp mark() = 0;
  // Seconds from `start` to `end`, negative where `end` came first. Waits for both marks.
  [[nodiscard]] virtual double seconds_between(timestamp start, timestamp end) = 0;
  // Enqueues a reading of the device's clocks; does nothing where the host's clock is the device's.
  virtual void enqueue_clock_reading() = 0;
  // The readings enqueued since they were last taken, in order. Waits for the queue.
  [[nodiscard]] virtual std::vector<clock_reading> take_clock_readings() = 0;
};

}  // namespace ridge::device
