// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/plan/train/memory_settings.hpp>

#include "run.hpp"

namespace ridge::plan::train {

// A published run whose layout is known: how long its steps took, and what it must fit into.
struct pretraining {
  measured_run run{};
  memory_settings settings{};
  double stated_gib = 0;  // what its authors say a GPU holds; 0: nothing
};

// Nothing is fitted to these: Llama 3 405B on 8,192 and 16,384 H100 (Grattafiori et al., 2024, table 4: 430
// and 400 TFLOP/s a GPU), Nemotron-4 340B (NVIDIA, 2024, table 2: seconds an iteration), DeepSeek-V3 on 2,048
// H800 (technical report: 180,000 GPU hours for 10^12 tokens, batch of 15,360 sequences, PP 16, EP 64, ZeRO
// 1, DualPipe).
[[nodiscard]] std::vector<pretraining> pretraining_runs();
// These, and the runs on A100 and of MLPerf; of NVIDIA's other figures it is not stated what is recomputed.
[[nodiscard]] std::vector<pretraining> runs_that_ran(const std::filesystem::path& data);

[[nodiscard]] double needed_bytes(const pretraining& p);

}  // namespace ridge::plan::train
