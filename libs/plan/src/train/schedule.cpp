// SPDX-License-Identifier: Apache-2.0
#include "schedule.hpp"

#include <algorithm>

namespace ridge::plan::train {

stage_split split_layers(std::int64_t layers, const parallel_layout& l) {
  const std::int64_t chunks = std::int64_t{l.pipeline} * l.virtual_pipeline;
  if (l.pipeline == 1) return {.last = static_cast<double>(layers)};
  const std::int64_t most = (layers + chunks - 1) / chunks;
  const std::int64_t spare = most * chunks - layers;
  const auto full = static_cast<double>(most * l.virtual_pipeline);
  return {.first = full - (spare >= 2 ? 1 : 0), .middle = full, .last = full - (spare >= 1 ? 1 : 0)};
}

double stage_loads::slowest_s() const {
  if (pipeline == 1) return last_s;
  return std::max({first_s, pipeline > 2 ? middle_s : 0, last_s});
}

double stage_loads::bubble_s() const {
  if (pipeline == 1) return 0;
  const double all = first_s + last_s + (pipeline - 2) * middle_s;
  return (all - slowest_s()) / virtual_pipeline;
}

double micro_batches(std::int64_t global_batch, int data, int micro_batch) {
  const std::int64_t a_round = std::int64_t{data} * micro_batch;
  return static_cast<double>(std::max<std::int64_t>(1, (global_batch + a_round - 1) / a_round));
}

double dual_pipe_bubble_s(const dual_pipe_passes& t, int pipeline) {
  return (pipeline / 2.0 - 1) * std::max(0.0, t.paired_s + t.backward_s - 3 * t.weights_s);
}

double dual_pipe_s(const dual_pipe_passes& t, int pipeline, double micro_batches) {
  const double pairs = dual_pipe_pairs(pipeline, micro_batches);
  return pairs * t.paired_s + (micro_batches - pairs) * (t.forward_s + t.backward_s) +
         dual_pipe_bubble_s(t, pipeline);
}

}  // namespace ridge::plan::train
