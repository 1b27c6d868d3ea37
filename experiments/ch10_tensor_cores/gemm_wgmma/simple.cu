// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>

#include <ridge/gpu/launch.cuh>
#include <ridge/kernels/product_launch.cuh>

#include "gemm_wgmma.hpp"
#include "operands.hpp"

namespace ridge::experiments::ch10_gemm_wgmma {
namespace {

constexpr int simt_tile = 64, simt_terms = 16, simt_threads = 256, each = 4;

__device__ float element_or_zero(const __nv_bfloat16* data, std::int64_t pitch, std::int64_t row,
                                 std::int64_t rows, std::int64_t term, std::int64_t k) {
  return row < rows && term < k ? __bfloat162float(data[row * pitch + term]) : 0.0F;
}

// A block makes 64 x 64 sums, a thread 4 x 4 of them.
__global__ void __launch_bounds__(simt_threads)
    simt_tiles(const __nv_bfloat16* a, const __nv_bfloat16* b, const kernels::stored_matrix c, std::int64_t k,
               std::int64_t pitch) {
  __shared__ float left[simt_terms][simt_tile + 1], right[simt_terms][simt_tile + 1];
  const int thread = static_cast<int>(threadIdx.x);
  const int term = thread % simt_terms, line = thread / simt_terms;
  const std::int64_t row = std::int64_t{blockIdx.y} * simt_tile,
                     column = std::int64_t{blockIdx.x} * simt_tile;
  float sums[each][each] = {};
  for (std::int64_t first = 0; first < k; first += simt_terms) {
    for (int i = line; i < simt_tile; i += simt_threads / simt_terms) {
      left[term][i] = element_or_zero(a, pitch, row + i, c.rows, first + term, k);
      right[term][i] = element_or_zero(b, pitch, column + i, c.columns, first + term, k);
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < simt_terms; ++p)
#pragma unroll
      for (int i = 0; i < each; ++i)
#pragma unroll
        for (int j = 0; j < each; ++j) sums[i][j] += left[p][line + 16 * i] * right[p][term + 16 * j];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < each; ++i)
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const auto r = row + line + 16 * i, s = column + term + 16 * j;
      if (r < c.rows && s < c.columns) c.data[r * c.pitch + s] = __float2bfloat16_rn(sums[i][j]);
    }
}

using one_stage =
    kernels::product_tile<kernels::bf16_operand, 1, 2, 128, 1, 1, 1, kernels::store_by::threads>;
constexpr int one_stage_threads = 128;

// A warpgroup makes 128 x 128 sums: it waits for a stage, multiplies it, and only then has the next copied.
// Other blocks of the multiprocessor work meanwhile.
__global__ void __launch_bounds__(one_stage_threads, 3)
    one_stage_tiles([[maybe_unused]] const __grid_constant__ CUtensorMap a,
                    [[maybe_unused]] const __grid_constant__ CUtensorMap b,
                    [[maybe_unused]] const kernels::stored_matrix c, [[maybe_unused]] unsigned steps) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ std::byte dynamic[];
  const auto places = kernels::places_in<one_stage>(dynamic);
  const unsigned row = blockIdx.y * one_stage::rows, column = blockIdx.x * one_stage::columns;
  if (threadIdx.x == 0) kernels::initialize_barriers<one_stage>(places);
  __syncthreads();
  float sums[one_stage::blocks][one_stage::columns / 2];
  for (unsigned step = 0; step < steps; ++step) {
    if (threadIdx.x == 0) {
      const int term = static_cast<int>(step * one_stage::terms);
      gpu::ptx::mbarrier_arrive_expect_tx(places.full(0), one_stage::stage_bytes);
      gpu::ptx::cp_async_bulk_tensor_2d_shared_global(places.a(0), &a, term, static_cast<int>(row),
                                                      places.full(0));
      gpu::ptx::cp_async_bulk_tensor_2d_shared_global(places.b(0), &b, term, static_cast<int>(column),
                                                      places.full(0));
    }
    kernels::wait_for_phase(places.full(0), step % 2);
    kernels::multiply_stage<one_stage>(places.a(0), places.b(0), step > 0 ? 1 : 0, sums);
    gpu::ptx::wgmma_wait_group<0>();
    __syncthreads();
  }
#pragma unroll
  for (unsigned block = 0; block < one_stage::blocks; ++block)
    kernels::store_pairs<one_stage>(c, {row + 64 * block + threadIdx.x / 32 * 16, column}, sums[block]);
#endif
}

__global__ void __launch_bounds__(256) narrow_kernel(const bf16* source, e4m3* target, std::size_t count) {
  const auto i = blockIdx.x * std::size_t{256} + threadIdx.x;
  if (i < count) target[i] = e4m3(float{source[i]} * fp8_factor);
}

__global__ void set_scales(float* scales) { scales[0] = scales[floats_a_scale] = 1 / fp8_factor; }

}  // namespace

void simt_product(const workload& w, stream queue) {
  const auto down = gpu::blocks_for(as_count(w.m), simt_tile),
             across = gpu::blocks_for(as_count(w.n), simt_tile);
  const kernels::stored_matrix c{reinterpret_cast<__nv_bfloat16*>(w.c.data()), w.m, w.n, w.n};
  gpu::launch(simt_tiles, {dim3(across, down), simt_threads, 0, queue},
              reinterpret_cast<const __nv_bfloat16*>(w.a.data()),
              reinterpret_cast<const __nv_bfloat16*>(w.b.data()), c, w.k, w.pitch);
}

enqueued one_stage_product(const workload& w) {
  gpu::allow_dynamic_shared_memory(one_stage_tiles, one_stage::shared_bytes);
  const auto p = kernels::operands_of(w);
  const auto maps = kernels::maps_of<one_stage>(p);
  const auto order = kernels::order_of_tiles<one_stage>(p, 1);
  const auto steps = kernels::steps_of<one_stage>(p);
  return [=](stream queue) {
    gpu::launch(one_stage_tiles,
                {dim3(order.columns, order.rows), one_stage_threads, one_stage::shared_bytes, queue}, maps.a,
                maps.b, maps.stored, steps);
  };
}

void narrow(const workload& w, const fp8_operands& target, stream queue) {
  if (target.scales.empty()) return;
  set_scales<<<1, 1, 0, queue>>>(target.scales.data());
  const auto convert = [&](input<bf16> source, std::span<e4m3> into) {
    if (source.empty()) return;
    gpu::launch(narrow_kernel, {gpu::blocks_for(source.size(), 256), 256, 0, queue}, source.data(),
                into.data(), source.size());
  };
  convert(w.a, target.a), convert(w.b, target.b);
}

}  // namespace ridge::experiments::ch10_gemm_wgmma
