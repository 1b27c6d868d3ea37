// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run.hpp"

namespace ridge::plan::train {

// A run predicted from others, and by what.
struct held_out {
  measured_run run{};
  double step_s = 0;
  bool own_generation = true;  // its GPU is among the others
  [[nodiscard]] double error() const { return step_s / run.step_s - 1; }
};

// The coefficients of one GPU with what they were fitted to and what was predicted without it.
struct study {
  training_coefficients found{};
  std::vector<measured_run> fitted_to{};
  std::vector<held_out> left_out{};
};

// A100 from Megatron, each model left out once.
[[nodiscard]] study study_megatron();
// H100, H200 and GB200 from MLPerf, each system left out once; empty without the data.
[[nodiscard]] std::vector<study> study_mlperf(const std::filesystem::path& data,
                                              const training_coefficients& a100);
// All that ship.
[[nodiscard]] std::vector<training_coefficients> shipped(const std::filesystem::path& data,
                                                         const training_coefficients& a100);

}  // namespace ridge::plan::train
