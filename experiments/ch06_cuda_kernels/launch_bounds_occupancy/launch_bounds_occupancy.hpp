// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch06_launch_bounds_occupancy {

inline constexpr std::size_t order = 16, triangle = order * (order + 1) / 2;
// What regularization adds to the diagonal. Off it lie at most 15 numbers below 1, so every matrix is
// positive definite, and no pivot is below 1.
inline constexpr float shift = order + 1;

// Solves (A + shift I) x = b for many symmetric A of order 16. Element e of system i is at e * systems + i:
// of the lower triangle of A, row after row, of b and of x.
struct workload {
  std::size_t systems = 0;
  input<float> a{}, b{};
  output<float> x{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a thread per system on `queue`. The compiler takes as many registers as it likes, in blocks
// of 128, and of the size that the occupancy API suggests; it keeps to what lets `Blocks` blocks of 128 be
// resident.
void launch_unbounded(const workload& w, stream queue);
void launch_suggested(const workload& w, stream queue);
template <unsigned Blocks>
void launch_bounded(const workload& w, stream queue);

}  // namespace ridge::experiments::ch06_launch_bounds_occupancy
