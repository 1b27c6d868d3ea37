// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/bf16x2.cuh>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/reduce.cuh>

#include "arrays.cuh"

namespace ridge::experiments::ch09_norm_backward {
namespace {

constexpr unsigned threads = 256;

__device__ float from_bf16(std::uint16_t bits) { return __uint_as_float(std::uint32_t{bits} << 16); }

// A block a row; its second sweep finds the row in the caches.
template <bool Layer>
__global__ void __launch_bounds__(threads) gradient_of_rows(arrays a) {
  const std::size_t row = std::size_t{blockIdx.x} * a.columns;
  const float inverse = a.inverse[blockIdx.x], mean = Layer ? a.mean[blockIdx.x] : 0;
  float with_normal = 0, alone = 0;
  for (unsigned i = threadIdx.x; i < a.columns; i += threads) {
    const float g = from_bf16(a.dy[row + i]) * a.weight[i];
    with_normal += g * (from_bf16(a.x[row + i]) - mean) * inverse;
    alone += g;
  }
  with_normal = gpu::over_block(with_normal, gpu::sum_of{}) / static_cast<float>(a.columns);
  alone = Layer ? gpu::over_block(alone, gpu::sum_of{}) / static_cast<float>(a.columns) : 0;
  for (unsigned i = threadIdx.x; i < a.columns; i += threads) {
    const float g = from_bf16(a.dy[row + i]) * a.weight[i], n = (from_bf16(a.x[row + i]) - mean) * inverse;
    a.dx[row + i] = static_cast<std::uint16_t>(gpu::bf16x2(inverse * (g - n * with_normal - alone), 0));
  }
}

// 32 columns a block, each by eight threads that add every eighth row.
constexpr unsigned slices = threads / gpu::warp_lanes;

template <bool Layer>
__global__ void __launch_bounds__(threads) gradient_of_parameters(arrays a) {
  __shared__ float weights[slices][gpu::warp_lanes], biases[slices][gpu::warp_lanes];
  const unsigned lane = threadIdx.x % gpu::warp_lanes, slice = threadIdx.x / gpu::warp_lanes;
  const unsigned column = blockIdx.x * gpu::warp_lanes + lane;
  float dweight = 0, dbias = 0;
  for (unsigned r = slice; r < a.rows && column < a.columns; r += slices) {
    const std::size_t i = std::size_t{r} * a.columns + column;
    const float dy = from_bf16(a.dy[i]);
    dweight += dy * (from_bf16(a.x[i]) - (Layer ? a.mean[r] : 0)) * a.inverse[r];
    dbias += dy;
  }
  weights[slice][lane] = dweight, biases[slice][lane] = dbias;
  __syncthreads();
  if (slice != 0 || column >= a.columns) return;
  for (unsigned s = 1; s < slices; ++s) dweight += weights[s][lane], dbias += biases[s][lane];
  a.dweight[column] = dweight;
  if constexpr (Layer) a.dbias[column] = dbias;
}

}  // namespace

void launch_two(const workload& w, stream queue) {
  const auto a = arrays_of(w);
  if (w.rows > 0)
    gpu::launch(w.layer ? gradient_of_rows<true> : gradient_of_rows<false>,
                {gpu::blocks_for(w.rows, 1), threads, 0, queue}, a);
  gpu::launch(w.layer ? gradient_of_parameters<true> : gradient_of_parameters<false>,
              {gpu::blocks_for(w.columns, gpu::warp_lanes), threads, 0, queue}, a);
}

}  // namespace ridge::experiments::ch09_norm_backward
