// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch07_tile_stencil {

// A step replaces each element by centre * itself + neighbour * (its four neighbours); elements beyond the
// grid are zero in all steps.
inline constexpr int steps = 4;
inline constexpr float centre = 0.5F, neighbour = 0.125F;

// target = source after `steps` steps.
struct workload {
  std::size_t rows = 0, columns = 0;
  input<float> source{};  // row-major
  output<float> target{};
};

[[gnu::weak]] ladder<workload> cuda();
// In kernels.cu. One step from `before` to `after`, which have the workload's extents: neighbours are read
// from global memory; from a tile in shared memory.
using one_step = void (*)(const workload& w, const float* before, float* after, stream queue);
void step_global(const workload& w, const float* before, float* after, stream queue);
void step_shared(const workload& w, const float* before, float* after, stream queue);
// All steps in one pass: rows come through registers; through boxes that tensor maps copy. Both need
// `in_quads`: rows that are whole vectors of 16 bytes.
[[nodiscard]] bool in_quads(const workload& w);
void launch_rows(const workload& w, stream queue);
void launch_boxes(const workload& w, stream queue);

}  // namespace ridge::experiments::ch07_tile_stencil
