// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/launch.hpp>
#include <ridge/gpu/tensor_map.hpp>
#include <ridge/kernels/bf16_product.hpp>
#include <ridge/kernels/warpgroup_product.cuh>

// The host's part of warpgroup_product.cuh.
namespace ridge::kernels {

// Whether c can be stored by tensor map: it and its rows begin at multiples of 16 bytes.
[[nodiscard]] inline bool maps_target(const product_operands& p) {
  return reinterpret_cast<std::uintptr_t>(p.c) % 16 == 0 && p.c_pitch % 8 == 0;
}

// The order of the product's tiles, or clusters of tiles, in bands of `band` rows.
template <class Tile>
[[nodiscard]] tile_order order_of_tiles(const product_operands& p, unsigned band) {
  const auto many = [](std::int64_t extent, unsigned each) {
    return static_cast<unsigned>((extent + each - 1) / each);
  };
  return {many(p.m, Tile::rows * Tile::down), many(p.n, Tile::columns * Tile::across), band};
}

// Steps of a tile's sums.
template <class Tile>
[[nodiscard]] unsigned steps_of(const product_operands& p) {
  return static_cast<unsigned>((p.k + Tile::terms - 1) / Tile::terms);
}

// What the kernel is told of a product's arrays.
struct product_maps {
  CUtensorMap a, b, c;
  stored_matrix stored;
};

// Makes the maps. m, n and k are positive.
template <class Tile>
[[nodiscard]] product_maps maps_of(const product_operands& p) {
  const auto boxes = [](const void* data, std::int64_t rows, std::int64_t k, std::int64_t pitch,
                        unsigned box_rows) {
    return gpu::make_tensor_map({.data = data,
                                 .type = Tile::operand::type,
                                 .rows = static_cast<std::size_t>(rows),
                                 .columns = static_cast<std::size_t>(k),
                                 .row_bytes = static_cast<std::size_t>(pitch) * Tile::operand::bytes,
                                 .box_rows = box_rows,
                                 .box_columns = Tile::terms,
                                 .swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
  };
  product_maps maps{boxes(p.a, p.m, p.k, p.a_pitch, Tile::rows / Tile::across),
                    boxes(p.b, p.n, p.k, p.b_pitch, Tile::columns / Tile::down),
                    {},
                    {static_cast<__nv_bfloat16*>(p.c), p.m, p.n, p.c_pitch,
                     p.c_pitch % 2 == 0 && reinterpret_cast<std::uintptr_t>(p.c) % 4 == 0}};
  if (Tile::store == store_by::tensor_map) {
    maps.c = gpu::make_tensor_map(
        {.data = p.c,
         .type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
         .rows = static_cast<std::size_t>(p.m),
         .columns = static_cast<std::size_t>(p.n),
         .row_bytes = static_cast<std::size_t>(p.c_pitch) * 2,
         .box_rows = 16,
         .box_columns = Tile::box_columns,
         .swizzle = Tile::box_columns == 64 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE});
  }
  return maps;
}

// Blocks of the product's kernel that the device runs at once.
template <class Tile, class Schedule, class Epilogue = as_summed>
[[nodiscard]] unsigned blocks_at_once() {
  constexpr auto kernel = product_by_roles<Tile, Schedule, Epilogue>;
  gpu::allow_dynamic_shared_memory(reinterpret_cast<const void*>(kernel), Tile::shared_bytes);
  auto launch = gpu::kernel_launch(Tile::cluster, Tile::threads, nullptr, Tile::shared_bytes);
  launch.cluster(Tile::cluster);
  int clusters = 0;
  gpu::check(cudaOccupancyMaxActiveClusters(&clusters, kernel, launch.config()),
             "cudaOccupancyMaxActiveClusters of product_by_roles");
  return static_cast<unsigned>(clusters) * Tile::cluster;
}

// The fewest blocks that make `tiles` tiles of clusters in as many rounds as `most` blocks do.
template <class Tile>
[[nodiscard]] unsigned even_blocks(unsigned tiles, unsigned most) {
  const unsigned rounds = gpu::blocks_for(tiles, most / Tile::cluster);
  return gpu::blocks_for(tiles, rounds) * Tile::cluster;
}

// Returns a product that is planned once and enqueued any number of times by calling it with a stream. m, n
// and k are positive; a schedule that splits tiles needs all `blocks` on the device at once.
template <class Tile, class Schedule, class Epilogue = as_summed>
[[nodiscard]] auto planned_product(const product_operands& p, const Schedule& schedule, unsigned blocks,
                                   const Epilogue& epilogue = {}, const partial_sums& partial = {}) {
  constexpr auto kernel = product_by_roles<Tile, Schedule, Epilogue>;
  gpu::allow_dynamic_shared_memory(reinterpret_cast<const void*>(kernel), Tile::shared_bytes);
  return [=, maps = maps_of<Tile>(p)](cudaStream_t stream) {
    auto launch = gpu::kernel_launch(blocks, Tile::threads, stream, Tile::shared_bytes);
    if constexpr (Tile::cluster > 1) launch.cluster(Tile::cluster);
    gpu::check(cudaLaunchKernelEx(launch.config(), kernel, maps.a, maps.b, maps.c, maps.stored, schedule,
                                  partial, epilogue),
               "launch of product_by_roles");
  };
}

// Returns such a product of whole tiles in bands of `band` rows, by blocks that stay and make one tile after
// the other.
template <class Tile, class Schedule = whole_tiles, class Epilogue = as_summed>
[[nodiscard]] auto resident_product(const product_operands& p, unsigned band, const Epilogue& epilogue = {}) {
  const Schedule schedule{order_of_tiles<Tile>(p, band), steps_of<Tile>(p)};
  const auto most = blocks_at_once<Tile, Schedule, Epilogue>();
  return planned_product<Tile>(p, schedule, even_blocks<Tile>(schedule.order.tiles(), most), epilogue);
}

// Returns the same by the tile that stores by tensor map, where c can be stored so, else by threads.
template <template <store_by> class Tile, class Epilogue = as_summed>
[[nodiscard]] std::function<void(cudaStream_t)> product_by_best_store(const product_operands& p,
                                                                      unsigned band,
                                                                      const Epilogue& epilogue = {}) {
  if (!maps_target(p)) return resident_product<Tile<store_by::threads>>(p, band, epilogue);
  return resident_product<Tile<store_by::tensor_map>>(p, band, epilogue);
}

}  // namespace ridge::kernels
