// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <ridge/gpu/tensor_map.hpp>
#include <ridge/kernels/attention_tile.cuh>

#include "flash_attention_forward.hpp"

// What kernels on warpgroups are launched with.
namespace ridge::experiments::ch10_flash_attention_forward {

// A matrix of one row a token, in boxes of `box_rows` rows and 64 columns.
inline CUtensorMap token_map(const bf16* data, std::size_t tokens, std::size_t columns, unsigned box_rows) {
  return gpu::make_tensor_map({.data = data,
                               .type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                               .rows = tokens,
                               .columns = columns,
                               .row_bytes = columns * sizeof(bf16),
                               .box_rows = box_rows,
                               .box_columns = 64,
                               .swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
}

// The maps of a workload that is not empty, for blocks of `keys` keys.
inline kernels::attention_maps maps_of(const workload& w, unsigned keys) {
  const auto& size = w.size;
  const auto queries = size.heads * size.width, kv = size.kv_heads * size.width;
  return {token_map(w.q.data(), size.tokens, queries, 64), token_map(w.k.data(), size.tokens, kv, keys),
          token_map(w.v.data(), size.tokens, kv, keys), token_map(w.o.data(), size.tokens, queries, 64)};
}

// The factor of scores, times log2(e).
inline float scale_of(const extents& size) { return 1.44269504F / std::sqrt(static_cast<float>(size.width)); }

// The extents as kernels take them, for tiles of `rows` queries.
inline kernels::attention_size kernel_size(const workload& w, unsigned rows) {
  const auto& size = w.size;
  const auto whole = [](std::size_t count) { return static_cast<int>(count); };
  return {whole(size.tokens), whole(size.heads), whole(size.group()), whole((size.tokens + rows - 1) / rows),
          scale_of(size)};
}

}  // namespace ridge::experiments::ch10_flash_attention_forward
