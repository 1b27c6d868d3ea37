// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/square_products.hpp>

#include <ridge/base/expects.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "tiled_product.cuh"

namespace ridge::kernels {
namespace {

// Nearly two blocks for each of an H200's 132 multiprocessors.
constexpr std::int64_t enough_blocks = 256;

unsigned tiles_across(std::int64_t n, int tile_size) {
  return gpu::blocks_for(static_cast<std::size_t>(n), static_cast<std::size_t>(tile_size));
}

template <class Tile>
std::int64_t blocks(const square_products& all) {
  return all.count * std::int64_t{tiles_across(all.n, Tile::rows)} * tiles_across(all.n, Tile::cols);
}

bool at_boundary(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(float4) == 0;
}

// Sets the kernel's attributes once per process, which opens one GPU: each call costs as much as a launch.
template <class Tile, edges Edges>
void allow_shared_memory() {
  static const bool allowed = [] {
    const auto kernel = tiled_product<Tile, Edges>;
    gpu::allow_dynamic_shared_memory(kernel, shared_bytes<Tile>);
    gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared),
               "cudaFuncSetAttribute of the carveout");
    return true;
  }();
  (void)allowed;
}

template <class Tile, edges Edges>
void launch(const square_products& all, cudaStream_t stream) {
  const dim3 grid(tiles_across(all.n, Tile::cols), tiles_across(all.n, Tile::rows),
                  static_cast<unsigned>(all.count));
  allow_shared_memory<Tile, Edges>();
  gpu::launch(tiled_product<Tile, Edges>, {grid, Tile::threads, shared_bytes<Tile>, stream},
              factors{all.a, all.b, all.c, static_cast<int>(all.n)});
}

template <class Tile>
void launch(const square_products& all, cudaStream_t stream) {
  const bool aligned = all.n % 4 == 0 && at_boundary(all.a) && at_boundary(all.b) && at_boundary(all.c);
  if (!aligned) return launch<Tile, edges::any>(all, stream);
  if (all.n % Tile::rows != 0 || all.n % Tile::cols != 0 || all.n % Tile::depth != 0)
    return launch<Tile, edges::aligned>(all, stream);
  launch<Tile, edges::none>(all, stream);
}

}  // namespace

void multiply(const square_products& all, cudaStream_t stream) {
  expects(all.count <= 65535, "multiply: more products than a grid is deep");
  if (all.count == 0 || all.n == 0) return;
  if (blocks<large_tile>(all) >= enough_blocks) return launch<large_tile>(all, stream);
  if (blocks<medium_tile>(all) >= enough_blocks) return launch<medium_tile>(all, stream);
  launch<small_tile>(all, stream);
}

}  // namespace ridge::kernels
