// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/plan/adapters.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>
#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan::kernels {

// Seconds that adapters add to a step of this request. Each group of products that share their input
// (queries, keys and values; gate and up) has a kernel that shrinks rows to the rank and one that expands
// them (SGMV: Chen et al., "Punica", MLSys 2024; vLLM, lora/ops/triton_ops). A kernel reads the matrices of
// every adapter of the step once, reads and writes its rows, and takes at least a product's floor: max(FLOP /
// rate, bytes / bandwidth) + floor, with the rates of the GPU's other kernels; nothing is fitted to kernels
// of adapters. The kernels are those of the layers of all stages, whose micro-batches divide the tokens.
[[nodiscard]] std::shared_ptr<const serve::adapter_timer> make_adapter_timer(const step_request& request,
                                                                             const kernel_times& kernels,
                                                                             const adapter_choice& adapters);

}  // namespace ridge::plan::kernels
