// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run.hpp"

namespace ridge::plan::train {

// A run that was predicted from others, and the prediction.
struct held_out {
  measured_run run{};
  double step_s = 0;
  bool own_generation = true;  // whether its GPU is among the others
  [[nodiscard]] double error() const { return step_s / run.step_s - 1; }
};

// The coefficients of one GPU, the runs that they were fitted to, and the predictions of runs left out.
struct study {
  training_coefficients found{};
  std::vector<measured_run> fitted_to{};
  std::vector<held_out> left_out{};
};

// A100 from half of its published runs; the other half is left out.
[[nodiscard]] study study_a100();
// H100, H200 and GB200 from MLPerf, each system left out once; empty without the data.
[[nodiscard]] std::vector<study> study_mlperf(const std::filesystem::path& data,
                                              const training_coefficients& a100);
// All shipped coefficients.
[[nodiscard]] std::vector<training_coefficients> shipped(const std::filesystem::path& data,
                                                         const training_coefficients& a100);

}  // namespace ridge::plan::train
