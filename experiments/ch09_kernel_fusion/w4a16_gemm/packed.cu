// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/tensor_map.hpp>

#include "pack.cuh"
#include "product.cuh"

namespace ridge::experiments::ch09_w4a16_gemm {
namespace {

template <format F>
void pack(const workload& w, std::span<std::byte> target, stream queue) {
  const stored_weights stored{w.codes.data(), w.scales.data(), w.rows, w.terms};
  gpu::launch(pack_weights<F>, {gpu::blocks_for(target.size() / 4, pack_threads), pack_threads, 0, queue},
              stored, reinterpret_cast<std::uint32_t*>(target.data()));
}

template <format F, unsigned Tokens>
void multiply(const workload& w, stream queue) {
  constexpr unsigned stages = Tokens == 64 ? 6 : 8;
  const auto kernel = packed_product<F, Tokens, stages>;
  constexpr auto shared = ring<F, Tokens, stages>::shared_bytes;
  gpu::allow_dynamic_shared_memory(kernel, shared);
  const auto map = gpu::make_tensor_map({.data = w.a.data(),
                                         .type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                         .rows = w.tokens,
                                         .columns = w.terms,
                                         .row_bytes = w.terms * 2,
                                         .box_rows = Tokens,
                                         .box_columns = 64,
                                         .swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
  const dim3 blocks(gpu::blocks_for(w.rows, block_rows), gpu::blocks_for(w.tokens, Tokens));
  gpu::launch(kernel, {blocks, product_threads, shared, queue}, map,
              reinterpret_cast<const char*>(w.own_packed.packed.data()),
              reinterpret_cast<std::uint16_t*>(w.c.data()), static_cast<unsigned>(w.tokens),
              static_cast<unsigned>(w.rows), static_cast<unsigned>(w.terms / block_terms));
}

template <format F>
void multiply(const workload& w, stream queue) {
  if (w.tokens <= 8) return multiply<F, 8>(w, queue);
  if (w.tokens <= 16) return multiply<F, 16>(w, queue);
  multiply<F, 64>(w, queue);
}

}  // namespace

std::size_t packed_bytes(const workload& w) { return packed_bytes(w.coding, w.rows, w.terms); }

void launch_pack(const workload& w, std::span<std::byte> target, stream queue) {
  if (target.empty()) return;
  switch (w.coding) {
    case format::int4:
      return pack<format::int4>(w, target, queue);
    case format::nvfp4:
      return pack<format::nvfp4>(w, target, queue);
    case format::mxfp4:
      return pack<format::mxfp4>(w, target, queue);
  }
}

void launch_packed(const workload& w, stream queue) {
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
