// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "run.hpp"

namespace ridge::plan::train {

// Steps of Llama 3.1 405B from the logs of MLPerf Training 5.0 (mlperf_training/llama31_405b_steps.csv of the
// folder of data): one run per row, grouped by system. Layouts are those of the submissions' configuration
// files. Empty without the file.
[[nodiscard]] std::vector<measured_run> mlperf_runs(const std::filesystem::path& data);

// A run of the same job on so many GPUs of the same kind as that of a system, for which no time is known.
[[nodiscard]] measured_run mlperf_like(const measured_run& run, int data, std::int64_t global_batch);

}  // namespace ridge::plan::train
