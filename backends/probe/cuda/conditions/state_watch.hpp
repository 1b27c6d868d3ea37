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

// What a meter said, so long after the watch began.
struct seen_state {
  double at_s = 0;
  measure::gpu_state state{};
};

// A watch shorter than this tells nothing: drivers give power and what holds the clock down tens of
// milliseconds late, of the row before.
inline constexpr double least_watch_s = 0.25;

// Gives `row` the median clock (where it has none) and power of the readings in the later half of a watch of
// `seconds`, and says in its note what held the clock down meanwhile. Nothing of a watch that was too short.
void put_state(model::ceiling& row, std::span<const seen_state> seen, double seconds);

// Reads the GPU's state every few milliseconds from a thread of its own, while a probe keeps the GPU busy.
class state_watch final {
 public:
  // Null: watches nothing.
  explicit state_watch(measure::gpu_meter* meter);
  ~state_watch();
  state_watch(const state_watch&) = delete;
  state_watch& operator=(const state_watch&) = delete;

  // Ends the watch and puts what was seen, as put_state() says.
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
