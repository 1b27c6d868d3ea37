// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.cuh>

#include "ilp_fma.hpp"

namespace ridge::experiments::ch08_ilp_fma {
namespace {

constexpr unsigned schedulers = 4, lanes = 32;  // of a multiprocessor; of a warp
// Multiply-adds between two ends of a loop: its own instructions are then lost among them.
constexpr unsigned unrolled = 256;

// Scale and shift are constants: an instruction that holds one of them reads two registers, and never waits
// for a bank that it reads three from. A grid of one block per multiprocessor takes `Chains` elements a
// thread at once. The elements that a thread takes next are on their way meanwhile.
template <unsigned Warps, unsigned Chains>
__global__ void __launch_bounds__(Warps* schedulers* lanes, 1)
    carry(const float* source, float* target, std::size_t n) {
  const std::size_t all = gridDim.x * std::size_t{blockDim.x};
  std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  float next[Chains], v[Chains];
  const auto load = [&](std::size_t first) {
#pragma unroll
    for (unsigned c = 0; c < Chains; ++c) next[c] = first + c * all < n ? source[first + c * all] : 0;
  };
  load(i);
  for (; i < n; i += Chains * all) {
#pragma unroll
    for (unsigned c = 0; c < Chains; ++c) v[c] = next[c];
    load(i + Chains * all);
#pragma unroll unrolled / Chains
    for (unsigned s = 0; s < steps; ++s) {
#pragma unroll
      for (unsigned c = 0; c < Chains; ++c) v[c] = fmaf(v[c], scale, shift);
    }
#pragma unroll
    for (unsigned c = 0; c < Chains; ++c)
      if (i + c * all < n) target[i + c * all] = v[c];
  }
}

template <unsigned Warps, unsigned Chains>
void launch_chains(const workload& w, stream queue) {
  if (w.source.empty()) return;
  gpu::launch(carry<Warps, Chains>, {gpu::multiprocessors(), Warps * schedulers * lanes, 0, queue},
              w.source.data(), w.target.data(), w.source.size());
}

}  // namespace

void launch_1_warp_1_chain(const workload& w, stream queue) { launch_chains<1, 1>(w, queue); }
void launch_1_warp_2_chains(const workload& w, stream queue) { launch_chains<1, 2>(w, queue); }
void launch_1_warp_4_chains(const workload& w, stream queue) { launch_chains<1, 4>(w, queue); }
void launch_1_warp_8_chains(const workload& w, stream queue) { launch_chains<1, 8>(w, queue); }
void launch_4_warps_1_chain(const workload& w, stream queue) { launch_chains<4, 1>(w, queue); }
void launch_2_warps_4_chains(const workload& w, stream queue) { launch_chains<2, 4>(w, queue); }

}  // namespace ridge::experiments::ch08_ilp_fma
