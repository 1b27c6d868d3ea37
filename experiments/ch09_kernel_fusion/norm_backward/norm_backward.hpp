// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <ridge/harness/workload.hpp>

namespace ridge {
struct bf16;
}  // namespace ridge

namespace ridge::experiments::ch09_norm_backward {

// The backward pass of a norm over rows, from what its forward pass kept: with n = (x - mean) * inverse, the
// normalized row, and g = dy * weight,
//   dx = inverse * (g - n * average(g n) - average(g)),
//   dweight = sum over rows of dy n, dbias = sum over rows of dy.
// An RMS norm has no mean, no average(g) and no bias: `mean` and `dbias` are empty.
struct workload {
  bool layer = false;
  std::size_t rows = 0, columns = 0;
  input<bf16> x{}, dy{};
  input<float> weight{}, mean{}, inverse{};
  output<bf16> dx{};
  output<float> dweight{}, dbias{};
};

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();
// Floats of partial sums that the kernel below needs; 0 where it is not used for the shape.
std::size_t persistent_partials(const workload& w);
// Each enqueues the pass on `queue`: the gradient of x row by row and then those of the parameters, which
// read everything again; by blocks that stay and keep the parameters' gradients in registers.
void launch_two(const workload& w, stream queue);
void launch_persistent(const workload& w, std::span<float> partials, stream queue);

}  // namespace ridge::experiments::ch09_norm_backward
