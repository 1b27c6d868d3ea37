// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include <ridge/measure/clock.hpp>

// The system's steady clock, for programs that need no better one.
class wall_clock final : public ridge::measure::clock {
 public:
  std::int64_t now() const noexcept override {
    return std::chrono::steady_clock::now().time_since_epoch().count();
  }
  double seconds(std::int64_t ticks) const noexcept override { return static_cast<double>(ticks) * 1e-9; }
  double resolution_s() const noexcept override { return 1e-9; }
  double read_cost_s() const noexcept override { return 2e-8; }
  std::string_view name() const noexcept override { return "steady"; }
};
