// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "run.hpp"

namespace ridge::plan::train {

// The overlap in NeMo's submissions of 2025, with the shares of products and attention that kernels reach:
// half of the exchanges of tensor ranks (--tp-comm-overlap), all transfers of the interleaved pipeline, ring
// attention and gradients. `half_size` and the share of bandwidth are A100's, fitted to Megatron.
[[nodiscard]] training_coefficients nemo(std::string_view gpu, const training_coefficients& a100);

// Coefficients of a GPU fitted to its runs among these: the efficiency of fp8 products, and the seconds per
// step when two systems of different size determine them; else the seconds come from the runs of the other
// GPUs. A GPU without runs takes those of the GPU named `nearest`.
[[nodiscard]] training_coefficients fit_mlperf(std::span<const measured_run> runs,
                                               const training_coefficients& coefficients,
                                               std::string_view gpu, std::string_view nearest);

}  // namespace ridge::plan::train
