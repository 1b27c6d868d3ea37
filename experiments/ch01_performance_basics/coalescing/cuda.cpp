// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <ridge/gpu/check.hpp>

#include "coalescing.hpp"
#include "kernels.hpp"

namespace ridge::experiments::ch01_coalescing {
namespace {

void strided(workload& w, call& c) { launch_strided(w.source, w.target, w.stride, c.queue()); }

void contiguous(workload& w, call& c) { launch_contiguous(w.source, w.target, c.queue()); }

void vectorized(workload& w, call& c) { launch_vectorized(w.source, w.target, c.queue()); }

void with_cuda_memcpy(workload& w, call& c) {
  if (w.source.empty()) return;
  gpu::check(cudaMemcpyAsync(w.target.data(), w.source.data(), w.source.size_bytes(),
                             cudaMemcpyDeviceToDevice, c.queue()),
             "cudaMemcpyAsync within the device");
}

// Memory moves sectors of 32 bytes, 8 words: one is read and one written for each element of a wide stride.
double strided_traffic(const problem& p) {
  const auto touched = std::min(p.real("stride"), 8.0);
  return p.real("elements") * 2 * 4 * touched;
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "strided",
       .is = role::baseline,
       .idea = "each lane of a warp touches a sector of its own",
       .run = strided,
       .traffic = strided_traffic},
      {.name = "contiguous",
       .idea = "a warp's lanes share sectors: every byte moved is used",
       .run = contiguous},
      {.name = "vectorized", .idea = "16 bytes a lane, four loads on the way", .run = vectorized},
      {.name = "cuda_memcpy",
       .is = role::comparator,
       .idea = "cudaMemcpyAsync within the device",
       .run = with_cuda_memcpy},
  };
}

}  // namespace ridge::experiments::ch01_coalescing
