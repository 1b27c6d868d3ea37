// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/base/result.hpp>
#include <ridge/plan/inference_memory.hpp>

namespace ridge::app_plan {

// A batch in the KV cache of one engine.
struct held_batch {
  plan::inference_setup setup{};  // with what it left to the engine
  plan::inference_load load{};
  std::int64_t kv_tokens = 0;  // that the cache holds
  double lacking_bytes = 0;    // on each GPU; 0: the batch fits
};

// Puts a batch of sequences of equal length into the cache of an engine on such GPUs. The error names what
// rules it out but memory: the model's context, the layout, more sequences than the engine runs at once.
[[nodiscard]] result<held_batch> hold(plan::inference_setup asked, const plan::accelerator& gpu,
                                      const plan::inference_load& load);

// The error of a batch that lacks memory.
[[nodiscard]] error does_not_fit(const held_batch& batch, const plan::accelerator& gpu);

}  // namespace ridge::app_plan
