// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "run.hpp"

namespace ridge::plan::train {

// Published runs on A100 SXM 80 GB in 16 bits. A group is a model of one publication:
// - Korthikanti et al. (2022), table 5: GPT 22B to 1T, steps of 8 tensor ranks (megatron_runs());
// - Narayanan et al. (2021), table 1: GPT 1.7B to 1T, FLOP/s per GPU by its formula (3), all layers
// recomputed.
//   Micro-batches are not in the table: 4 up to 7.5B and 2 up to 76B, near the optima of its figures 7 and
//   16, else 1; interleaved stages are the fewest that divide the layers;
// - MPT 1B to 70B: tokens per second and GPU of mosaicml/llm-foundry, scripts/train/benchmarking/README.md,
// fully
//   sharded (FSDP), flash attention;
// - BLOOM 176B: 150 TFLOP/s per GPU (its authors' announcement, March 2022), TP 4, PP 12, DP 8, all layers
// recomputed;
// - OPT 175B: 147 TFLOP/s per GPU (Zhang et al., 2022, section 2.4), TP 8, fully sharded, all layers
// recomputed.
[[nodiscard]] std::vector<measured_run> a100_runs();

// Whether the coefficients of A100 may be fitted to this run: half of the groups, by the parity of the FNV-1a
// hash of their name, so that nobody chose them.
[[nodiscard]] bool is_fitted(const measured_run& run);

}  // namespace ridge::plan::train
