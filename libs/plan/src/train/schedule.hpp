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

// Seconds of one micro-batch on one stage in DualPipe.
struct dual_pipe_passes {
  double forward_s = 0, backward_s = 0;  // alone, with their exchange; backward with the gradients of weights
  double weights_s = 0;                  // gradients of weights alone
  double paired_s = 0;                   // a forward and a backward pass beside each other
};

// Micro-batches whose forward pass runs beside the backward pass of another: all but those that fill and
// drain the pipeline, one a stage.
[[nodiscard]] constexpr double dual_pipe_pairs(double pipeline, double micro_batches) {
  return micro_batches - pipeline;
}

// What a rank waits while the pipeline fills and drains: (p/2 - 1)(F&B + B - 3 W) (deepseek-ai/DualPipe,
// table of its README).
[[nodiscard]] double dual_pipe_bubble_s(const dual_pipe_passes& t, int pipeline);

// Seconds of a step of so many micro-batches, at least twice the stages.
[[nodiscard]] double dual_pipe_s(const dual_pipe_passes& t, int pipeline, double micro_batches);

// Multiprocessors of a GPU that exchange tokens with experts while the others compute (DeepSeek-V3 technical
// report, section 3.2.2).
inline constexpr double exchanging_multiprocessors = 20;
// Of H800, which the report is about; for GPUs whose number the catalogue does not have.
inline constexpr double usual_multiprocessors = 132;

}  // namespace ridge::plan::train
