// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/memory.hpp>
#include <ridge/harness/experiment.hpp>

#include "vector_copy.hpp"

namespace ridge::experiments::ch07_vector_copy {
namespace {

void with_cuda_memcpy(workload& w, call& c) {
  gpu::enqueue_copy(w.target.data(), w.source.data(), w.source.size_bytes(), c.queue());
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "floats", .is = role::baseline, .idea = "4 bytes a thread", .run = enqueues(launch_floats)},
      {.name = "four_quads",
       .idea = "16 bytes a load, four of them under way in a thread",
       .run = enqueues(launch_four_quads)},
      {.name = "streamed_quads",
       .idea = "the same, marked to leave the caches first (.cs)",
       .run = enqueues(launch_streamed_quads)},
      {.name = "one_quad",
       .idea = "16 bytes a thread in blocks of 1024: what is read at one time lies close together",
       .run = enqueues(launch_one_quad)},
      {.name = "bulk_ring",
       .idea = "one thread a block moves pieces of 16 KiB through shared memory; no data in registers",
       .run = enqueues(launch_bulk_ring),
       .needs = {.compute_capability = {9, 0}}},
      {.name = "cuda_memcpy",
       .is = role::comparator,
       .idea = "cudaMemcpyAsync within the device",
       .run = with_cuda_memcpy},
  };
}

}  // namespace ridge::experiments::ch07_vector_copy
