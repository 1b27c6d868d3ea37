// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch09_sgemm_ladder {

// c = a b in fp32, row-major: a m×k, b k×n.
struct workload {
  std::int64_t m = 0, n = 0, k = 0;
  input<float> a{}, b{};
  output<float> c{};
};

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

// Each enqueues one launch. In plain.cu: a sum a thread, lanes down a column of c, lanes along a row of c,
// and from square tiles in shared memory.
void launch_naive(const workload& w, stream queue);
void launch_coalesced(const workload& w, stream queue);
void launch_shared_tile(const workload& w, stream queue);
// In register_tiles.cu: eight sums of a column a thread, 8 x 8 sums, and the same by 16 bytes an access.
void launch_register_column(const workload& w, stream queue);
void launch_register_square(const workload& w, stream queue);
void launch_vectors(const workload& w, stream queue);
// In warp_tiles.cu: a warp makes 64 x 64 sums from slices that are copied ahead; compute capability 8.0.
// Where rows of b or c do not begin on 16 bytes it is launch_vectors.
void launch_warp_tiles(const workload& w, stream queue);

}  // namespace ridge::experiments::ch09_sgemm_ladder
