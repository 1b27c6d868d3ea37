// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <ridge/measure/gpu_monitor.hpp>

namespace ridge::tui {

// Ticks of all CPUs so far, from /proc/stat.
struct cpu_ticks {
  double busy = 0, stolen = 0, all = 0;
};
// Reads the first line of /proc/stat; zeros where it is none.
[[nodiscard]] cpu_ticks cpu_ticks_of(std::string_view proc_stat);

// The machine at one moment.
struct pulse {
  std::chrono::steady_clock::time_point taken{};
  std::optional<double> cpu_busy{}, cpu_stolen{};  // shares of all CPUs since the pulse before, 0 to 1
  std::optional<double> memory_used_bytes{}, memory_bytes{};
  std::vector<measure::gpu_reading> gpus{};
};

// The last minute, the oldest pulse first.
struct pulse_report {
  std::vector<pulse> pulses{};
  std::string no_gpu{};  // why there is no GPU to watch; empty where there is one
};

// Takes four pulses a second in a thread of its own, as long as somebody asks; it sleeps from three seconds
// after the last question on.
class pulse_meter final {
 public:
  explicit pulse_meter(std::function<std::unique_ptr<measure::gpu_monitor>()> open_gpus)
      : open_gpus_(std::move(open_gpus)) {}
  pulse_meter(const pulse_meter&) = delete;
  pulse_meter& operator=(const pulse_meter&) = delete;
  ~pulse_meter();

  // Returns the last minute; the first call begins it.
  [[nodiscard]] pulse_report report();

 private:
  void watch();
  void take(measure::gpu_monitor* gpus, cpu_ticks& before);

  std::function<std::unique_ptr<measure::gpu_monitor>()> open_gpus_;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  bool ending_ = false;
  std::chrono::steady_clock::time_point asked_{};
  std::deque<pulse> pulses_{};
  std::string no_gpu_{"looking for GPUs"};
  std::thread watcher_{};
};

}  // namespace ridge::tui
