// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ridge::measure {

// A clock that never runs backwards and never sleeps. Differences of now() are meant; its zero means nothing.
class clock {
 public:
  virtual ~clock() = default;
  // Not moved by the processor before earlier or after later work. Any thread.
  [[nodiscard]] virtual std::int64_t now() const noexcept = 0;
  [[nodiscard]] virtual double seconds(std::int64_t ticks) const noexcept = 0;
  // The smallest step it was seen to make, and what one call of now() takes.
  [[nodiscard]] virtual double resolution_s() const noexcept = 0;
  [[nodiscard]] virtual double read_cost_s() const noexcept = 0;
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
};

struct clock_quality {
  std::int64_t resolution_ticks = 0;
  double read_cost_ticks = 0;
};

// From readings taken one right after another: the resolution is their smallest positive difference, the cost
// the median difference; where the median is 0 (a coarse clock) their mean. At least two readings, of which
// two differ.
[[nodiscard]] clock_quality quality_of(std::span<const std::int64_t> readings);

}  // namespace ridge::measure
