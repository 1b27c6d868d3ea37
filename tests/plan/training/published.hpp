// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "run.hpp"

namespace ridge::plan::train {

// Throughputs that NVIDIA publishes for Megatron Bridge, container 25.11 (docs/performance-summary.md of
// NVIDIA-NeMo/Megatron-Bridge), dense models whose layouts it states. Nothing is fitted to them.
[[nodiscard]] std::vector<measured_run> published_runs();

// The same for models with experts, whose routing the benchmark forces to be balanced.
[[nodiscard]] std::vector<measured_run> published_expert_runs();

// Llama 3.1 405B in bf16 on 128 GB200: 9.347 s per step of 64 sequences (llama3.1/README.md of
// NVIDIA/dgxc-benchmarking).
[[nodiscard]] measured_run published_bf16_run();
// The share of the dense bf16 peak that reproduces it.
[[nodiscard]] double fit_bf16(const measured_run& run, const training_coefficients& coefficients);

}  // namespace ridge::plan::train
