// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <type_traits>

#include <ridge/kernels/product_launch.cuh>
#include <ridge/kernels/tile_choice.hpp>

// The product by the tile, of several that are compiled, that the model of tile_choice.hpp holds for the
// cheapest.
namespace ridge::kernels {

inline constexpr unsigned rows_of_band = 8;

// For a tile of 192 sums a thread ptxas finds registers in the kernel that could split tiles, and not in the
// one that cannot.
template <class Tile>
using schedule_of_tile = std::conditional_t<(Tile::blocks * Tile::columns > 256), equal_runs, whole_tiles>;

// Returns the product by the cheapest of `Tiles`. m, n and k are positive, and c can be stored by tensor map.
template <class... Tiles, class Epilogue = as_summed>
[[nodiscard]] std::function<void(cudaStream_t)> cheapest_product(const product_operands& p,
                                                                 const Epilogue& epilogue = {}) {
  using product = std::function<void(cudaStream_t)>;
  const unsigned processors = gpu::multiprocessors();
  double least = std::numeric_limits<double>::infinity();
  product (*best)(const product_operands&, const Epilogue&) = nullptr;
  const auto consider = [&]<class Tile>(std::type_identity<Tile>) {
    const double cycles = product_cycles({Tile::rows, Tile::columns, Tile::down, Tile::across},
                                         {p.m, p.n, steps_of<Tile>(p)}, processors);
    if (cycles >= least) return;
    least = cycles;
    best = [](const product_operands& operands, const Epilogue& what_becomes) -> product {
      return resident_product<Tile, schedule_of_tile<Tile>>(operands, rows_of_band, what_becomes);
    };
  };
  (consider(std::type_identity<Tiles>{}), ...);
  return best(p, epilogue);
}

}  // namespace ridge::kernels
