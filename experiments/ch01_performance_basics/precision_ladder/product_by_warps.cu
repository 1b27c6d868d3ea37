// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/error.hpp>
#include <ridge/gpu/ptx/matrix.cuh>

#include "tiles.cuh"

namespace ridge::experiments::ch01_precision_ladder {
namespace {

// The fragment of a 32-byte step is the same for every type: lane l holds bytes 4 (l % 4) .. + 3 of row l / 4
// of each 8 x 16 bytes, as ldmatrix gives them. This loads 16 rows of a by 32 bytes.
__device__ void load_a(unsigned operand, int row, int step, unsigned (&a)[4]) {
  const int lane = thread_index() % 32, group = lane / 8;
  const int r = row + lane % 8 + group % 2 * 8;
  gpu::ptx::ldmatrix_x4(operand + swizzled(r, 2 * step + group / 2), a[0], a[1], a[2], a[3]);
}

// Loads twice 8 rows of b by 32 bytes.
__device__ void load_b(unsigned operand, int row, int step, unsigned (&b)[2][2]) {
  const int lane = thread_index() % 32, group = lane / 8;
  const int r = row + lane % 8 + group / 2 * 8;
  gpu::ptx::ldmatrix_x4(operand + swizzled(r, 2 * step + group % 2), b[0][0], b[0][1], b[1][0], b[1][1]);
}

__device__ void add_product(tf32_bits, float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  gpu::ptx::mma_m16n8k8_f32_tf32(d, a, b);
}

__device__ void add_product(bf16_bits, float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  gpu::ptx::mma_m16n8k16_f32_bf16(d, a, b);
}

__device__ void add_product(e4m3_bits, [[maybe_unused]] float (&d)[4],
                            [[maybe_unused]] const unsigned (&a)[4],
                            [[maybe_unused]] const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 890
  gpu::ptx::mma_m16n8k32_f32_e4m3(d, a, b);
#endif
}

// A warp's 64 x 64 sums are 4 x 8 products of 16 x 8. Where the instruction on bytes is made of conversions,
// the operands of one step do not fit the registers together, nor may the compiler begin the next before.
template <class Type>
__device__ void multiply_stage(unsigned stage, int row, int column, float (&sum)[4][8][4]) {
  constexpr bool converts = sizeof(typename Type::type) == 1;
  constexpr int down = converts ? 2 : 4;
#pragma unroll(converts ? 1 : row_bytes / 32)
  for (int step = 0; step < row_bytes / 32; ++step) {
#pragma unroll
    for (int first = 0; first < 4; first += down) {
      unsigned a[down][4];
#pragma unroll
      for (int i = 0; i < down; ++i) load_a(stage, row + 16 * (first + i), step, a[i]);
#pragma unroll
      for (int j = 0; j < 8; j += 2) {
        unsigned b[2][2];
        load_b(stage + operand_bytes, column + 8 * j, step, b);
#pragma unroll
        for (int i = 0; i < down; ++i) {
          add_product(Type{}, sum[first + i][j], a[i], b[0]);
          add_product(Type{}, sum[first + i][j + 1], a[i], b[1]);
        }
        if constexpr (converts) __syncwarp();
      }
    }
  }
}

__device__ void store(const tile_problem& problem, tile_place place, const float (&sum)[4][8][4]) {
  const int lane = thread_index() % 32;
  const float scale = scale_of_sums(problem);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const std::int64_t row = place.row + 16 * i + lane / 4, column = place.column + 8 * j + lane % 4 * 2;
      store_two(problem, row, column, scale * sum[i][j][0], scale * sum[i][j][1]);
      store_two(problem, row + 8, column, scale * sum[i][j][2], scale * sum[i][j][3]);
    }
  }
}

template <class Type>
__global__ void __launch_bounds__(tile_threads, 2) tiles_by_warps(const tile_problem problem) {
  extern __shared__ std::byte dynamic[];
  const unsigned ring = aligned_ring(dynamic);
  const auto at = place_of_block(problem);
  const int warp = thread_index() / 32, row = warp / 2 * 64, column = warp % 2 * 64;
  const int steps = steps_of(problem);
  float sum[4][8][4] = {};
  for (int s = 0; s < stages - 1; ++s) begin_stage(problem, at, ring, s);
  for (int s = 0; s < steps; ++s) {
    wait_for_oldest_stage();
    __syncthreads();
    begin_stage(problem, at, ring, s + stages - 1);
    multiply_stage<Type>(stage_in(ring, s), row, column, sum);
  }
  store(problem, {at.row + row, at.column + column}, sum);
}

}  // namespace

template <class Type>
void require_product_by_warps() {
  cudaFuncAttributes code{};
  gpu::check(cudaFuncGetAttributes(&code, tiles_by_warps<Type>), "cudaFuncGetAttributes of tiles_by_warps");
  if (sizeof(typename Type::type) == 1 && code.binaryVersion < 89)
    throw unavailable("mma.sync on e4m3 in this program's code for this GPU",
                      "build on this machine: CMAKE_CUDA_ARCHITECTURES is then that of its GPU");
}

template <class Type>
void product_by_warps(const workload& w, const padded_operands& operands, stream queue) {
  launch_tiles(tiles_by_warps<Type>, w, operands, queue);
}

template void require_product_by_warps<tf32_bits>();
template void require_product_by_warps<bf16_bits>();
template void require_product_by_warps<e4m3_bits>();
template void product_by_warps<tf32_bits>(const workload&, const padded_operands&, stream);
template void product_by_warps<bf16_bits>(const workload&, const padded_operands&, stream);
template void product_by_warps<e4m3_bits>(const workload&, const padded_operands&, stream);

}  // namespace ridge::experiments::ch01_precision_ladder
