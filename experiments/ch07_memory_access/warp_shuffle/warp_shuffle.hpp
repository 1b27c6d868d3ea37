// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch07_warp_shuffle {

// sums[s] = the sum of the `width` values of segment s; the segments follow one another.
struct workload {
  std::size_t segments = 0, width = 0;
  input<std::int32_t> values{};
  output<std::int32_t> sums{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues the sums of kernels.cu on `queue`. A warp takes a segment, and its 32 partial sums become
// one: by a tree in shared memory; by a tree of shuffles; by one instruction. Quads: vectors of 16 bytes, and
// as few lanes a segment as its width fills; goes to shuffles where segments are no whole vectors.
void launch_shared_tree(const workload& w, stream queue);
void launch_shuffles(const workload& w, stream queue);
void launch_redux(const workload& w, stream queue);
void launch_quads(const workload& w, stream queue);
// CUB's sum over segments; without scratch it says how many bytes it needs.
void launch_cub(const workload& w, std::size_t& bytes, void* scratch, stream queue);

}  // namespace ridge::experiments::ch07_warp_shuffle
