// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>

namespace ridge::plan::train {

// Layers of the stages of a pipeline: the first and the last have one less when embedding and head take the
// place of a layer (126 layers in 8 · 8 chunks of 2).
struct stage_split {
  double first = 0, middle = 0, last = 0;
};
[[nodiscard]] stage_split split_layers(std::int64_t layers, const parallel_layout& l);

// Seconds of a pipeline beyond the computation of its slowest stage.
struct stage_loads {
  double first_s = 0, middle_s = 0, last_s = 0;  // per micro-batch, forward and backward
  int pipeline = 1, virtual_pipeline = 1;

  [[nodiscard]] double slowest_s() const;
  // While the pipeline fills and drains, a stage waits for one pass of each other stage, of one chunk when
  // interleaved (Narayanan et al., 2021, section 2.2): (p - 1) / v · t.
  [[nodiscard]] double bubble_s() const;
};

// ceil(global batch / (data · micro-batch)), at least 1.
[[nodiscard]] double micro_batches(std::int64_t global_batch, int data, int micro_batch);

}  // namespace ridge::plan::train
