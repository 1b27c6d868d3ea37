// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/matrix.cuh>

#include "matrix_units/fp64_operands.hpp"
#include "matrix_units/matrix_kernels.hpp"
#include "timing/span_clock.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 256;
static_assert(threads == block_threads);
constexpr int sums_per_warp = 4, products_per_round = 4 * sums_per_warp;

#if __CUDA_ARCH__ >= 900
constexpr int firsts = 8, seconds = 4, sums = 4;
__device__ void add_product(double (&d)[sums], const double (&a)[firsts], const double (&b)[seconds]) {
  gpu::ptx::mma_m16n8k16_f64(d, a, b);
}
#else
constexpr int firsts = 1, seconds = 1, sums = 2;
__device__ void add_product(double (&d)[sums], const double (&a)[firsts], const double (&b)[seconds]) {
  gpu::ptx::mma_m8n8k4_f64(d, a, b);
}
#endif

__device__ double random_number(unsigned index, bool zeros) {
  return zeros ? 0 : __longlong_as_double(static_cast<long long>(fp64_bits(index))) - 3.0;
}

// Repeats the products of random operands. Sums grow by less than 16 per product, so that no run is long
// enough for them to lose digits.
__global__ void __launch_bounds__(threads)
    fp64_products(float* results, block_span* spans, int rounds, bool zeros) {
  const unsigned thread = blockIdx.x * threads + threadIdx.x;
  double a[firsts], b[seconds], held[sums_per_warp][sums] = {};
  for (int i = 0; i < firsts; ++i) a[i] = random_number(16 * thread + static_cast<unsigned>(i), zeros);
  for (int i = 0; i < seconds; ++i) b[i] = random_number(16 * thread + static_cast<unsigned>(8 + i), zeros);
  const span_clock clock;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < products_per_round; ++i) add_product(held[i % sums_per_warp], a, b);
  }
  double total = 0;
  for (const auto& one : held)
    for (const double x : one) total += x;
  results[thread] = static_cast<float>(total);
  clock.end(spans);
}

// Operations of one product in the machine code that the GPU runs, which may be code of an older generation.
double flop_per_product() {
  cudaFuncAttributes of{};
  gpu::check(cudaFuncGetAttributes(&of, fp64_products), "cudaFuncGetAttributes of fp64_products");
  return of.ptxVersion >= 90 ? 2.0 * 16 * 8 * 16 : 2.0 * 8 * 8 * 4;
}

}  // namespace

double multiply_fp64_by_warps(const kernel_call& call, const fp64_shape& shape) {
  const auto blocks = static_cast<unsigned>(call.processors * shape.blocks_per_processor);
  gpu::launch(fp64_products, {blocks, threads}, call.results, call.spans, call.rounds, call.zeros);
  return flop_per_product() * products_per_round * (threads / 32.0) * blocks * call.rounds;
}

}  // namespace ridge::backends::probe_cuda
