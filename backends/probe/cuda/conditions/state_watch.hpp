// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include <ridge/measure/gpu_meter.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_cuda {

// A meter's reading and its time since the watch began.
struct seen_state {
  double at_s = 0;
  measure::gpu_state state{};
};

// The shortest watch that is evaluated. Drivers report power and the reasons that hold the clock down tens of
// milliseconds late, so that a shorter watch would show the previous row's.
inline constexpr double least_watch_s = 0.25;

// Puts the median power, and the median clock where `row` has none, of the readings in the later half of a
// watch of `seconds` into `row`, and adds the reasons that held the clock down to its note. A watch shorter
// than least_watch_s changes nothing.
void put_state(model::ceiling& row, std::span<const seen_state> seen, double seconds);

// Reads the GPU's state every few milliseconds on a separate thread while a probe keeps the GPU busy.
class state_watch final {
 public:
  // Starts the watch; with a null meter nothing is watched.
  explicit state_watch(measure::gpu_meter* meter);
  ~state_watch();
  state_watch(const state_watch&) = delete;
  state_watch& operator=(const state_watch&) = delete;

  // Ends the watch and puts the readings into `row` by put_state().
  void finish(model::ceiling& row);

 private:
  using steady = std::chrono::steady_clock;
  void watch(measure::gpu_meter& meter);
  void stop();
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(steady::now() - begun_).count();
  }
  const steady::time_point begun_ = steady::now();
  std::mutex mutex_{};
  std::condition_variable changed_{};
  bool over_ = false;
  std::vector<seen_state> seen_{};
  std::thread thread_{};
};

}  // namespace ridge::backends::probe_cuda
