// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/memory.hpp>
#include <ridge/harness/experiment.hpp>

#include "launch_configuration.hpp"

namespace ridge::experiments::ch06_launch_configuration {
namespace {

void with_cuda_memcpy(workload& w, call& c) {
  gpu::enqueue_copy(w.target.data(), w.source.data(), w.source.size_bytes(), c.queue());
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "block_32",
       .is = role::baseline,
       .idea = "a block a warp, an element a thread: 32 blocks fill half the places of a multiprocessor",
       .run = enqueues(launch_exact<32>)},
      {.name = "block_64",
       .idea = "two warps a block: all places are filled",
       .run = enqueues(launch_exact<64>)},
      {.name = "block_128", .idea = "half the blocks to start", .run = enqueues(launch_exact<128>)},
      {.name = "block_256", .idea = "half again", .run = enqueues(launch_exact<256>)},
      {.name = "block_1024",
       .idea = "two blocks a multiprocessor: a new one starts when the slowest of 32 warps is done",
       .run = enqueues(launch_exact<1024>)},
      {.name = "grid_stride",
       .idea = "as many blocks of 256 as are resident, whose threads step over the array",
       .run = enqueues(launch_resident)},
      {.name = "suggested",
       .idea = "the same in the shape that cudaOccupancyMaxPotentialBlockSize suggests",
       .run = enqueues(launch_suggested)},
      {.name = "vectors",
       .idea = "64 bytes a thread on the way: fewer threads with more to do",
       .run = enqueues(launch_vectors)},
      {.name = "cuda_memcpy",
       .is = role::comparator,
       .idea = "cudaMemcpyAsync within the device",
       .run = with_cuda_memcpy},
  };
}

}  // namespace ridge::experiments::ch06_launch_configuration
