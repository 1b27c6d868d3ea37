// SPDX-License-Identifier: Apache-2.0
#include "warpgroups.cuh"

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/tensor_map.hpp>

namespace ridge::experiments::ch09_w4a16_gemm {
namespace {

template <format F>
void multiply(const workload& w, stream queue) {
  constexpr unsigned stages = 6;
  const auto kernel = multiply_by_warpgroups<F, stages>;
  constexpr auto shared = stage_layout<F>::ring_bytes(stages);
  gpu::allow_dynamic_shared_memory(kernel, shared);
  const auto map = gpu::make_tensor_map({.data = w.a.data(),
                                         .type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                         .rows = w.tokens,
                                         .columns = w.terms,
                                         .row_bytes = w.terms * 2,
                                         .box_rows = pass_tokens,
                                         .box_columns = 64,
                                         .swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
  const packed_tiles tiles{w.rows, w.terms, multiplying_warps};
  const dim3 blocks(static_cast<unsigned>(tiles.row_blocks()), gpu::blocks_for(w.tokens, pass_tokens));
  gpu::launch(kernel, {blocks, product_threads, shared, queue}, map,
              reinterpret_cast<const char*>(w.warpgroups.packed.data()),
              reinterpret_cast<std::uint16_t*>(w.c.data()), static_cast<unsigned>(w.tokens), tiles);
}

}  // namespace

void launch_warpgroups(const workload& w, stream queue) {
  if (w.c.empty()) return;
  switch (w.coding) {
    case format::int4:
      return multiply<format::int4>(w, queue);
    case format::nvfp4:
      return multiply<format::nvfp4>(w, queue);
    case format::mxfp4:
      return multiply<format::mxfp4>(w, queue);
  }
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
