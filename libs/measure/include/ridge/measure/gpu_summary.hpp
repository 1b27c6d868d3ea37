// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/measure/gpu_meter.hpp>

namespace ridge::measure {

// The median and the extremes of readings.
struct spread {
  double median = 0, least = 0, most = 0;
};

// How often one reason held the clock down.
struct reason_share {
  std::string reason{};
  double share = 0;  // of the blocks whose reasons are known, 0..1
};

// How a GPU ran during a session, from one reading per block. A value is absent where no reading told it.
struct gpu_summary {
  std::size_t blocks = 0;  // readings
  std::optional<spread> sm_clock_mhz{};
  std::optional<double> median_power_w{};
  std::optional<double> most_temperature_c{};
  std::optional<double> throttled_share{};  // blocks with any reason ÷ blocks whose reasons are known
  std::vector<reason_share> reasons{};      // most frequent first
  double idle_share = 0;                    // of all blocks

  // Returns a line for people: "SM clock 1755 MHz (1620..1980), 412 W, 51 C, power cap in 30 % of blocks".
  [[nodiscard]] std::string text() const;
};

// Summarizes readings, one per block. Values that are not finite count as absent.
[[nodiscard]] gpu_summary summarize(std::span<const gpu_state> blocks);

}  // namespace ridge::measure
