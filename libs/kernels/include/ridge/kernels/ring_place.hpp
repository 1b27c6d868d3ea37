// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace ridge::kernels {

// A stage of a ring of `Tile::stages`, and whether the ring has been gone round an odd number of times: the
// parity of the phase that is waited for next on the stage's barrier.
template <class Tile>
struct ring_place {
  unsigned stage = 0, parity = 0;
  // Goes on to the next stage.
  __host__ __device__ void advance() {
    if (++stage == Tile::stages) stage = 0, parity ^= 1U;
  }
  // Goes on by as many stages.
  __host__ __device__ void skip(unsigned steps) {
    stage += steps;
    parity ^= stage / Tile::stages & 1U;
    stage %= Tile::stages;
  }
};

}  // namespace ridge::kernels
