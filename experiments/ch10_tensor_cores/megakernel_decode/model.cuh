// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/gpu/bf16x2.cuh>
#include <ridge/gpu/reduce.cuh>

#include "megakernel_decode.hpp"

// What the kernels of a step share: extents, the scratch between kernels, and sums of products of bf16
// weights.
namespace ridge::experiments::ch10_megakernel_decode {

inline constexpr extents compiled{.kv_heads = compiled_kv_heads};
inline constexpr unsigned hidden = compiled.hidden(), between = compiled.between(), heads = compiled.heads(),
                          kv_heads = compiled.kv_heads, token_rows = compiled.token_rows(),
                          kept_rows = compiled.kept_rows(), head_width = width, head_group = group;
// Parts into which a head's keys are split among blocks, at most.
inline constexpr unsigned most_splits = 16;

// Keys of a part: the fewest parts of so many keys, up to most_splits.
[[nodiscard]] constexpr unsigned splits_of(unsigned context, unsigned keys) {
  const unsigned wanted = (context + keys - 1) / keys;
  return wanted < 1 ? 1 : wanted > most_splits ? most_splits : wanted;
}

// A contiguous share of items. `Up` gives the larger shares to other blocks than rounding down does, so that
// who had more of one matrix has less of another.
struct share {
  unsigned begin = 0, count = 0;
};
template <bool Up = false>
[[nodiscard]] __device__ inline share share_of(unsigned items, unsigned index, unsigned shares) {
  const unsigned round = Up ? shares - 1 : 0;
  const unsigned begin = (items * index + round) / shares;
  return {begin, (items * (index + 1) + round) / shares - begin};
}

// Where a step's numbers are between its stages.
struct stage_words {
  std::uint32_t rotation[head_width];  // cosine and sine for each pair
  std::uint32_t state[hidden], middle[hidden], normed[hidden];
  std::uint32_t made[token_rows];
  std::uint32_t attended[most_splits][hidden], statistics[most_splits][2 * heads];
  std::uint32_t activations[between];
  std::uint32_t arrivals[kv_heads];     // of blocks that share a head's keys
  std::uint32_t layers_done, finished;  // by the persistent kernel: layers so far; blocks of this call
};

__device__ inline void add_products(float& sum, std::uint32_t pair, float x, float y) {
  sum = fmaf(gpu::low_bf16(pair), x, sum);
  sum = fmaf(gpu::high_bf16(pair), y, sum);
}
__device__ inline void add_products(float& sum, uint4 eight, const float (&x)[8]) {
  add_products(sum, eight.x, x[0], x[1]), add_products(sum, eight.y, x[2], x[3]);
  add_products(sum, eight.z, x[4], x[5]), add_products(sum, eight.w, x[6], x[7]);
}
__device__ inline float gated(float gate, float up) { return gate / (1 + __expf(-gate)) * up; }

}  // namespace ridge::experiments::ch10_megakernel_decode
