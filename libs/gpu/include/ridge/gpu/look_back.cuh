// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/gpu/ptx/memory_order.cuh>

// What blocks tell each other in scans of one pass (D. Merrill and M. Garland, Single-pass Parallel Prefix
// Scan with Decoupled Look-back, 2016): a value and the word that says that it is there, stored as one.
namespace ridge::gpu {

// A float that one block publishes once. All zeros: not yet.
struct published_float {
  uint2 words;
};

// Makes `value` visible to all blocks.
__device__ inline void publish(published_float* target, float value) {
  ptx::st_relaxed_gpu_v2_b32(&target->words, {1, __float_as_uint(value)});
}

// What is there now; an absent value says so by is_there().
__device__ inline published_float look(const published_float* source) {
  return {ptx::ld_relaxed_gpu_v2_b32(&source->words)};
}
__device__ inline bool is_there(published_float seen) { return seen.words.x != 0; }
__device__ inline float value_of(published_float seen) { return __uint_as_float(seen.words.y); }

// Waits until the value is there. `seen` is what a look at `source` showed.
__device__ inline float await(const published_float* source, published_float seen) {
  while (!is_there(seen)) seen = look(source);
  return value_of(seen);
}
__device__ inline float await(const published_float* source) { return await(source, look(source)); }

}  // namespace ridge::gpu
