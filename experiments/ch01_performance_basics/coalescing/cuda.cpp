// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/gpu/memory.hpp>
#include <ridge/harness/experiment.hpp>

#include "coalescing.hpp"

namespace ridge::experiments::ch01_coalescing {
namespace {

void with_cuda_memcpy(workload& w, call& c) {
  gpu::enqueue_copy(w.target.data(), w.source.data(), w.source.size_bytes(), c.queue());
}

// Memory moves sectors of 32 bytes, 8 words: one is read and one written for each element of a wide stride.
double strided_traffic(const problem& p) {
  return p.real("elements") * 2 * 4 * std::min(p.real("stride"), 8.0);
}

}  // namespace

// Why gains over the strided baseline exceed ten times.
constexpr auto one_element_per_sector =
    "the baseline moves at least a sector of 32 bytes for every 4 bytes that it uses";

ladder<workload> cuda() {
  return {
      {.name = "strided",
       .is = role::baseline,
       .idea = "each lane of a warp touches a sector of its own",
       .run = enqueues(launch_strided),
       .traffic = strided_traffic},
      {.name = "contiguous",
       .idea = "a warp's lanes share sectors: every byte moved is used",
       .run = enqueues(launch_contiguous),
       .explanation = one_element_per_sector},
      {.name = "vectorized",
       .idea = "16 bytes a lane: four times the bytes on the way",
       .run = enqueues(launch_vectorized),
       .explanation = one_element_per_sector},
      {.name = "cuda_memcpy",
       .is = role::comparator,
       .idea = "cudaMemcpyAsync within the device",
       .run = with_cuda_memcpy},
  };
}

}  // namespace ridge::experiments::ch01_coalescing
