// SPDX-License-Identifier: Apache-2.0
#include "synchronization/barrier_kernels.hpp"

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "synchronization/mbarrier.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr int barriers = 16;

__global__ void meet_kernel(float* results, block_span* spans, int rounds) {
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int b = 0; b < barriers; ++b) __syncthreads();
  }
  if (threadIdx.x == 0) *results = 0;
  clock.end(spans);
}

__global__ void mbarrier_kernel([[maybe_unused]] float* results, [[maybe_unused]] block_span* spans,
                                [[maybe_unused]] int rounds) {
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(8) std::uint64_t barrier;
  const auto at = gpu::ptx::shared_address(&barrier);
  if (threadIdx.x == 0) gpu::ptx::mbarrier_init(at, blockDim.x);
  __syncthreads();
  bool well = true;
  const span_clock clock;
  for (int r = 0; r < rounds && well; ++r) {
#pragma unroll
    for (unsigned b = 0; b < barriers; ++b) {
      gpu::ptx::mbarrier_arrive(at);
      well = well && wait_for(at, b % 2);
    }
  }
  if (threadIdx.x == 0) *results = 0;
  if (well) clock.end(spans);
#endif
}

template <class Kernel>
double run(Kernel kernel, const kernel_call& call, int threads) {
  gpu::launch(kernel, {1, static_cast<unsigned>(threads)}, call.results, call.spans, call.rounds);
  return double{barriers} * call.rounds;
}

}  // namespace

double meet_in_block(const kernel_call& call, int threads) { return run(meet_kernel, call, threads); }

double meet_at_mbarrier(const kernel_call& call, int threads) { return run(mbarrier_kernel, call, threads); }

}  // namespace ridge::backends::probe_cuda
