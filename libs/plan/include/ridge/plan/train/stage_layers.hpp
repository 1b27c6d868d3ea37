// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {

// A range of layers [first, last).
struct layer_range {
  std::int64_t first = 0, last = 0;
  // Number of layers in the range.
  [[nodiscard]] std::int64_t count() const { return last - first; }
  bool operator==(const layer_range&) const = default;
};

// The layers of one of `chunks` equal parts of a model (pipeline · virtual pipeline; chunk c runs on stage
// c mod pipeline). When the layers do not divide, the head, then the embedding, then prediction layers count
// as one layer each, as few of them as make it even (Llama 3's 126 layers on 128 places; Megatron's
// account-for-embedding-in-pipeline-split); the first or last chunk may then hold no layer. Otherwise the
// longer chunks are spread evenly.
[[nodiscard]] layer_range layers_of_chunk(std::int64_t layers, std::int64_t chunks, std::int64_t chunk,
                                          std::int64_t prediction_layers = 0);

// Largest number of chunks whose activations stage `stage` of `pipeline` holds at a time.
// One-forward-one-backward: min(p - i, m); interleaved (Narayanan et al., 2021): 2 (p - i - 1) + (v - 1) p +
// 1, at most m v.
[[nodiscard]] std::int64_t chunks_in_flight(std::int64_t pipeline, std::int64_t virtual_pipeline,
                                            std::int64_t stage, std::int64_t micro_batches);

// The same in micro-batches of all layers of a rank, by the plan's schedule. DualPipe: p + 1 of one of its
// two stages (deepseek-ai/DualPipe, table of its README).
[[nodiscard]] double micro_batches_in_flight(const training_plan& plan, std::int64_t stage,
                                             std::int64_t micro_batches);

}  // namespace ridge::plan::train
