// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch07_vector_copy {

// Copies `source` to `target`.
struct workload {
  input<float> source{};
  output<float> target{};
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues a copy of kernels.cu on `queue`: a float a thread; four vectors of 16 bytes a thread; the
// same as streams that pass the caches; one vector a thread in large blocks; bulk copies through a ring in
// shared memory, of arrays that begin at multiples of 16 bytes (else vectors).
void launch_floats(const workload& w, stream queue);
void launch_four_quads(const workload& w, stream queue);
void launch_streamed_quads(const workload& w, stream queue);
void launch_one_quad(const workload& w, stream queue);
void launch_bulk_ring(const workload& w, stream queue);

}  // namespace ridge::experiments::ch07_vector_copy
