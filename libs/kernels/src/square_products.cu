// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/square_products.hpp>

#include <ridge/base/expects.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "tiled_product.cuh"

namespace ridge::kernels {
namespace {

// Two blocks for nearly every multiprocessor of an H200's 132.
constexpr std::int64_t enough_blocks = 256;

std::int64_t tiles_across(std::int64_t n, int of) { return (n + of - 1) / of; }

template <class Tile>
std::int64_t blocks(const square_products& all) {
  return all.count * tiles_across(all.n, Tile::rows) * tiles_across(all.n, Tile::cols);
}

bool at_boundary(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(float4) == 0;
}

// Once a process, which opens one GPU: setting costs as much as a launch does.
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
void launch(const square_products& all, cudaStream_t queue) {
  const dim3 grid(static_cast<unsigned>(tiles_across(all.n, Tile::cols)),
                  static_cast<unsigned>(tiles_across(all.n, Tile::rows)), static_cast<unsigned>(all.count));
  allow_shared_memory<Tile, Edges>();
  gpu::launch(tiled_product<Tile, Edges>, {grid, Tile::threads, shared_bytes<Tile>, queue},
              factors{all.a, all.b, all.c, static_cast<int>(all.n)});
}

template <class Tile>
void launch(const square_products& all, cudaStream_t queue) {
  const bool aligned = all.n % 4 == 0 && at_boundary(all.a) && at_boundary(all.b) && at_boundary(all.c);
  if (!aligned) return launch<Tile, edges::any>(all, queue);
  if (all.n % Tile::rows != 0 || all.n % Tile::cols != 0 || all.n % Tile::depth != 0)
    return launch<Tile, edges::aligned>(all, queue);
  launch<Tile, edges::none>(all, queue);
}

}  // namespace

void multiply(const square_products& all, cudaStream_t queue) {
  expects(all.count <= 65535, "multiply: more products than a grid is deep");
  if (all.count == 0 || all.n == 0) return;
  if (blocks<large_tile>(all) >= enough_blocks) return launch<large_tile>(all, queue);
  if (blocks<medium_tile>(all) >= enough_blocks) return launch<medium_tile>(all, queue);
  launch<small_tile>(all, queue);
}

}  // namespace ridge::kernels
