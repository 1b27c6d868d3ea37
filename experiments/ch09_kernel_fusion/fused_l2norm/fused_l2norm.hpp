// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch09_fused_l2norm {

// The length of n vectors in the plane: length[i] = sqrt(x[i]^2 + y[i]^2).
struct workload {
  input<float> x{}, y{};
  output<float> length{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues kernels.cu's kernels on `queue`: squares of x, squares of y, their sums and the roots, by way
// of `squares`, twice n floats; all in one; the same by 16 bytes; CUB's transform four times, and once.
void launch_four(const workload& w, std::span<float> squares, stream queue);
void launch_one(const workload& w, stream queue);
void launch_vectors(const workload& w, stream queue);
void launch_cub_chain(const workload& w, std::span<float> squares, stream queue);
void launch_cub(const workload& w, stream queue);

}  // namespace ridge::experiments::ch09_fused_l2norm
