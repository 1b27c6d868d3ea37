// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ridge::measure {

// A clock that never runs backwards and never sleeps. Only differences of now() have a meaning; its zero has
// none.
class clock {
 public:
  virtual ~clock() = default;
  // Returns the time in ticks. The processor moves the reading neither before earlier nor after later work.
  // Any thread may call it.
  [[nodiscard]] virtual std::int64_t now() const noexcept = 0;
  // Returns the seconds that a number of ticks takes.
  [[nodiscard]] virtual double seconds(std::int64_t ticks) const noexcept = 0;
  // Return the smallest step that the clock was seen to make, and the time that one call of now() takes.
  [[nodiscard]] virtual double resolution_s() const noexcept = 0;
  [[nodiscard]] virtual double read_cost_s() const noexcept = 0;
  // Returns the name of the clock: "tsc".
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
};

// How fine a clock is, in its own ticks.
struct clock_quality {
  std::int64_t resolution_ticks = 0;
  double read_cost_ticks = 0;
};

// Computes the quality of a clock from readings taken one right after another: the resolution is their
// smallest positive difference; the cost is the median difference, or the mean where the median is 0 (a
// coarse clock). Needs at least two readings, of which two differ.
[[nodiscard]] clock_quality quality_of(std::span<const std::int64_t> readings);

}  // namespace ridge::measure
