// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/tensor_map.hpp>

#include "fp32_accurate_gemm.hpp"
#include "plane_product.cuh"
#include "split_rows.cuh"

namespace ridge::experiments::ch09_fp32_accurate_gemm {
namespace {

constexpr unsigned banded = 8;

constexpr std::size_t count_of(std::int64_t extent) { return static_cast<std::size_t>(extent); }

using bf16_tile = plane_tile<bf16_planes, 128, 2, 1>;
using tf32_tile = plane_tile<tf32_planes, 128, 3, 1>;
using fp16_tile = plane_tile<fp16_planes, 128, 3, 1>;
using wide_fp16_tile = plane_tile<fp16_planes, 192, 2, 2>;

template <class Planes>
plane_map map_of(std::byte* planes, std::int64_t rows, const workload& w, unsigned box_rows, unsigned terms) {
  return {gpu::make_tensor_map({.data = planes,
                                .type = Planes::type,
                                .rows = Planes::planes * count_of(rows),
                                .columns = count_of(w.k),
                                .row_bytes = count_of(w.pitch) * Planes::bytes,
                                .box_rows = box_rows,
                                .box_columns = terms,
                                .swizzle = CU_TENSOR_MAP_SWIZZLE_128B}),
          static_cast<unsigned>(rows)};
}

template <class Planes>
void split_operand(std::span<const float> source, std::byte* planes, float* factors, std::int64_t rows,
                   const workload& w, stream queue) {
  gpu::launch(split_rows<Planes>, {static_cast<unsigned>(rows), split_threads, 0, queue}, source.data(),
              reinterpret_cast<typename plane_number<Planes>::type*>(planes), factors,
              static_cast<unsigned>(w.k), static_cast<unsigned>(w.pitch));
}

template <class Tile>
std::function<void(stream)> with(const workload& w, const plane_memory& planes) {
  using split = typename Tile::split;
  constexpr auto kernel = plane_product<Tile>;
  gpu::allow_dynamic_shared_memory(reinterpret_cast<const void*>(kernel), Tile::shared_bytes);
  const auto tiles = [](std::int64_t extent, unsigned each) {
    return gpu::blocks_for(count_of(extent), each);
  };
  const kernels::whole_tiles schedule{{tiles(w.m, Tile::rows), tiles(w.n, Tile::columns), banded},
                                      tiles(w.k, Tile::terms)};
  const auto a = map_of<split>(planes.a.data(), w.m, w, Tile::rows, Tile::terms);
  const auto b = map_of<split>(planes.b.data(), w.n, w, Tile::columns, Tile::terms);
  const plane_target target{w.c.data(), planes.a_factors.data(), planes.b_factors.data(),
                            static_cast<unsigned>(w.m), static_cast<unsigned>(w.n)};
  const unsigned blocks = std::min(schedule.order.tiles(), gpu::multiprocessors());
  return [=, shape = w](stream queue) {
    split_operand<split>(shape.a, planes.a.data(), planes.a_factors.data(), shape.m, shape, queue);
    split_operand<split>(shape.b, planes.b.data(), planes.b_factors.data(), shape.n, shape, queue);
    gpu::launch(kernel, {blocks, Tile::threads, Tile::shared_bytes, queue}, a, b, target, schedule);
  };
}

}  // namespace

std::size_t plane_bytes(split kind, std::size_t rows, std::size_t pitch) {
  const std::size_t each = kind == split::fp16_three ? 4 : kind == split::bf16_six ? 6 : 8;
  return each * rows * pitch;
}

std::function<void(stream)> planned(split kind, const workload& w, const plane_memory& planes) {
  switch (kind) {
    case split::bf16_six:
      return with<bf16_tile>(w, planes);
    case split::tf32_three:
      return with<tf32_tile>(w, planes);
    case split::fp16_three: {
      // The wide tile reads fewer bytes; it needs several rounds of all multiprocessors to be worth its
      // ragged last.
      const auto wide_tiles = gpu::blocks_for(count_of(w.m), wide_fp16_tile::rows) *
                              gpu::blocks_for(count_of(w.n), wide_fp16_tile::columns);
      return wide_tiles >= 4 * gpu::multiprocessors() ? with<wide_fp16_tile>(w, planes)
                                                      : with<fp16_tile>(w, planes);
    }
  }
  return {};
}

}  // namespace ridge::experiments::ch09_fp32_accurate_gemm
