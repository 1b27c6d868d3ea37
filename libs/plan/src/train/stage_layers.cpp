// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/stage_layers.hpp>

#include <algorithm>

#include <ridge/base/expects.hpp>

#include "as_real.hpp"

namespace ridge::plan::train {

namespace {

// The first layer of a chunk when `ahead` places precede the layers and all places divide evenly.
layer_range of_places(std::int64_t layers, std::int64_t places, std::int64_t ahead, std::int64_t chunks,
                      std::int64_t chunk) {
  const auto size = places / chunks;
  const auto layer_at = [&](std::int64_t place) {
    return std::clamp(place - ahead, std::int64_t{0}, layers);
  };
  return {layer_at(chunk * size), layer_at((chunk + 1) * size)};
}

}  // namespace

layer_range layers_of_chunk(std::int64_t layers, std::int64_t chunks, std::int64_t chunk,
                            std::int64_t prediction_layers) {
  expects(chunks > 0 && chunk >= 0 && chunk < chunks, "layers_of_chunk: no such chunk");
  for (std::int64_t more = 0; more <= 2 + prediction_layers; ++more) {
    if ((layers + more) % chunks == 0)
      return of_places(layers, layers + more, more > 1 ? 1 : 0, chunks, chunk);
  }
  return {layers * chunk / chunks, layers * (chunk + 1) / chunks};
}

std::int64_t chunks_in_flight(std::int64_t pipeline, std::int64_t virtual_pipeline, std::int64_t stage,
                              std::int64_t micro_batches) {
  const auto behind = pipeline - stage;  // stages from this one to the last
  const auto wanted = virtual_pipeline == 1 ? behind : 2 * behind - 1 + (virtual_pipeline - 1) * pipeline;
  return std::min(wanted, micro_batches * virtual_pipeline);
}

double micro_batches_in_flight(const training_plan& plan, std::int64_t stage, std::int64_t micro_batches) {
  const auto& l = plan.layout;
  if (plan.schedule == pipeline_schedule::dual_pipe)
    return as_real(std::min<std::int64_t>(l.pipeline + 1, micro_batches)) / plan.copies();
  return as_real(chunks_in_flight(l.pipeline, l.virtual_pipeline, stage, micro_batches)) / l.virtual_pipeline;
}

}  // namespace ridge::plan::train
