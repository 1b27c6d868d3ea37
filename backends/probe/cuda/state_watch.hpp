// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <ridge/measure/gpu_meter.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_cuda {

// Reads the GPU's state every few milliseconds from a thread of its own, while a probe runs.
class state_watch final {
 public:
  // Null: watches nothing.
  explicit state_watch(measure::gpu_meter* meter);
  ~state_watch();
  state_watch(const state_watch&) = delete;
  state_watch& operator=(const state_watch&) = delete;

  // Ends the watch. Gives `row` the median clock (where it has none) and power, and where something held the
  // clock down says so in its note.
  void finish(model::ceiling& row);

 private:
  void watch(measure::gpu_meter& meter);
  void stop();
  std::mutex mutex_{};
  std::condition_variable changed_{};
  bool over_ = false;
  std::vector<measure::gpu_state> seen_{};
  std::thread thread_{};
};

}  // namespace ridge::backends::probe_cuda
