// SPDX-License-Identifier: Apache-2.0
#include "input/plan_held_batch.hpp"

#include <utility>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::app_plan {

result<held_batch> hold(plan::inference_setup asked, const plan::accelerator& gpu,
                        const plan::inference_load& load) {
  if (const auto fine = check_request(asked.model, load.sequence_tokens); !fine) return fine.why();
  held_batch made{.setup = with_engine_steps(std::move(asked), gpu), .load = load};
  if (load.sequences > made.setup.max_sequences)
    return error{fmt::format("{} sequences at once: {} runs {} on {}", load.sequences,
                             name_of(made.setup.engine), made.setup.max_sequences, gpu.name),
                 "give a smaller --batch"};
  const auto ranks = inference_memory(made.setup);
  if (!ranks) return ranks.why();
  const auto held = capacity_of(made.setup, *ranks, gpu.memory_bytes, load);
  if (!held) return held.why();
  made.kv_tokens = held->tokens;
  made.lacking_bytes = held->fits ? 0 : -held->spare_bytes();
  return made;
}

error does_not_fit(const held_batch& batch, const plan::accelerator& gpu) {
  const auto& layout = batch.setup.layout;
  return {fmt::format("{} sequences of {} tokens of {} do not fit on {} x {}: {} more are needed on each GPU",
                      batch.load.sequences, batch.load.sequence_tokens, batch.setup.model.name, layout.gpus(),
                      gpu.name, format_quantity(batch.lacking_bytes, "B")),
          "give more GPUs (--tp), a smaller --batch, or narrower --weights or --kv-format"};
}

}  // namespace ridge::app_plan
