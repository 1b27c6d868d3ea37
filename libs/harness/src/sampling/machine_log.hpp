// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/instruments.hpp>
#include <ridge/measure/interference.hpp>

namespace ridge::harness {

// Records what the machine did while a family was measured: interference of every round, and the GPU's state
// after rounds. Only the measuring thread uses it.
class machine_log {
 public:
  explicit machine_log(const instruments& equipment)
      : interference_(equipment.interference), gpu_(equipment.gpu_state) {}

  // Whether there is a meter of interference.
  [[nodiscard]] bool watches_interference() const { return interference_ != nullptr; }
  // Starts the meter of interference.
  void begin_round();
  // Returns the interference since begin_round(); also reads the GPU, every twentieth of a second at most.
  measure::interference end_round();
  // Forgets everything so far: the warm-up is over.
  void restart();

  // The interference of all rounds so far.
  [[nodiscard]] const measure::interference& disturbance() const { return total_; }
  [[nodiscard]] const std::vector<measure::gpu_state>& gpu_states() const { return gpu_states_; }

 private:
  void read_gpu();
  void add(const measure::interference& seen);

  measure::interference_meter* interference_;
  measure::gpu_meter* gpu_;
  measure::interference total_{};
  std::vector<measure::gpu_state> gpu_states_{};
  double gpu_read_s_ = 0;
};

}  // namespace ridge::harness
