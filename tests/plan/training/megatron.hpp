// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "run.hpp"

namespace ridge::plan::train {

// Seconds of a step of four GPT models on A100 (Korthikanti et al., 2022, tables 3 and 5): with full
// recomputation, and with selective recomputation and sequence parallelism.
[[nodiscard]] std::vector<measured_run> megatron_runs();

}  // namespace ridge::plan::train
