// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::measure {

// The state of a GPU at one moment. Values that its driver does not tell are absent.
struct gpu_state {
  std::optional<double> sm_clock_mhz{};
  std::optional<double> power_w{};  // of the board
  std::optional<double> temperature_c{};
  // What holds the clock down: "power cap", "thermal slowdown". Known and empty: nothing does.
  std::optional<std::vector<std::string>> throttled_by{};
  bool idle = false;  // nothing ran on it: the clock says little about the block of work before
};

// Reads the state of a GPU. A reading takes the host up to milliseconds, so it belongs between blocks of
// work, and right after one: a moment later the GPU is idle and lowers its clock.
class gpu_meter {
 public:
  virtual ~gpu_meter() = default;
  // Returns in words why there is none; empty where it works.
  [[nodiscard]] virtual std::string_view unavailable_because() const = 0;
  // Returns the state now; nothing where the meter is unavailable or the driver no longer answers.
  [[nodiscard]] virtual std::optional<gpu_state> read() = 0;
};

}  // namespace ridge::measure
