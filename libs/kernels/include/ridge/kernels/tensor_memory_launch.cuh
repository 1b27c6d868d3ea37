// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/tensor_map.hpp>
#include <ridge/kernels/bf16_product.hpp>
#include <ridge/kernels/tensor_memory_product.cuh>

// The host's part of tensor_memory_product.cuh.
namespace ridge::kernels {

// Returns a product that is planned once and enqueued any number of times by calling it with a stream. m, n
// and k are positive.
template <class Tile>
[[nodiscard]] auto planned_tensor_memory_product(const product_operands& p) {
  const auto boxes = [&](const void* data, std::int64_t rows, std::int64_t pitch, unsigned box_rows) {
    return gpu::make_tensor_map({.data = data,
                                 .type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                 .rows = static_cast<std::size_t>(rows),
                                 .columns = static_cast<std::size_t>(p.k),
                                 .row_bytes = static_cast<std::size_t>(pitch) * 2,
                                 .box_rows = box_rows,
                                 .box_columns = Tile::terms,
                                 .swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
  };
  constexpr auto kernel = product_in_tensor_memory<Tile>;
  gpu::allow_dynamic_shared_memory(kernel, Tile::shared_bytes);
  const auto down = gpu::blocks_for(static_cast<std::size_t>(p.m), Tile::rows * Tile::cluster);
  const dim3 grid{down * Tile::cluster, gpu::blocks_for(static_cast<std::size_t>(p.n), Tile::columns)};
  const bool vectors = p.c_pitch % 8 == 0 && reinterpret_cast<std::uintptr_t>(p.c) % 16 == 0;
  const auto steps = gpu::blocks_for(static_cast<std::size_t>(p.k), Tile::terms);
  return
      [=, a = boxes(p.a, p.m, p.a_pitch, Tile::rows), b = boxes(p.b, p.n, p.b_pitch, Tile::copied_columns),
       c = stored_rows{static_cast<__nv_bfloat16*>(p.c), p.m, p.n, p.c_pitch, vectors}](cudaStream_t stream) {
        auto launch = gpu::kernel_launch(grid, Tile::threads, stream, Tile::shared_bytes);
        if constexpr (Tile::cluster > 1) launch.cluster(Tile::cluster);
        gpu::check(cudaLaunchKernelEx(launch.config(), kernel, a, b, c, steps),
                   "launch of product_in_tensor_memory");
      };
}

}  // namespace ridge::kernels
