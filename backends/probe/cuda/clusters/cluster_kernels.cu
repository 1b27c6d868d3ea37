// SPDX-License-Identifier: Apache-2.0
#include "clusters/cluster_kernels.hpp"

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/ptx/cluster.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "shared_memory/on_chip_access.hpp"
#include "timing/span_clock.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = on_chip_threads, following = 32, meeting = 256;
constexpr int steps = 64, barriers = 16;
[[maybe_unused]] constexpr unsigned at_once = 2;
[[maybe_unused]] constexpr unsigned links = 1024;

#if __CUDA_ARCH__ >= 900

// A barrier of all threads of the cluster.
__device__ void barrier_cluster() {
  gpu::ptx::barrier_cluster_arrive_release();
  gpu::ptx::barrier_cluster_wait_acquire();
}

// The address of the same variable in the shared memory of the cluster's block of that rank.
__device__ unsigned mapa(unsigned rank, const void* pointer) {
  return gpu::ptx::mapa_shared_cluster(gpu::ptx::shared_address(pointer), rank);
}

__device__ unsigned load_four(unsigned address, unsigned sum) {
  const uint4 v = gpu::ptx::ld_shared_cluster_v4_b32(address);
  return (v.x ^ v.y ^ sum) ^ (v.z ^ v.w);
}

#endif

__global__ void __launch_bounds__(threads)
    ring_kernel([[maybe_unused]] float* results, [[maybe_unused]] block_span* spans,
                [[maybe_unused]] int rounds, [[maybe_unused]] unsigned step) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ unsigned held[];
  for (unsigned i = threadIdx.x; i < shared_bytes / 4; i += threads)
    held[i] = held_word(gpu::ptx::cluster_ctarank(), i);
  barrier_cluster();
  const unsigned next = (gpu::ptx::cluster_ctarank() + 1) % gpu::ptx::cluster_nctarank();
  const unsigned first = mapa(next, held) + load_place(threadIdx.x, 0, shared_apart);
  unsigned sums[at_once] = {};
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
    const unsigned at = first + round_place(static_cast<unsigned>(r), step, shared_most);
#pragma unroll
    for (unsigned k = 0; k < loads_per_round; ++k)
      sums[k % at_once] = load_four(at + k * shared_apart, sums[k % at_once]);
  }
  unsigned sum = 0;
  for (const unsigned one : sums) sum ^= one;
  results[blockIdx.x * threads + threadIdx.x] = static_cast<float>(sum);
  clock.end(spans);
  barrier_cluster();  // no block ends while another reads its memory
#endif
}

__global__ void __launch_bounds__(following)
    follow_kernel([[maybe_unused]] float* results, [[maybe_unused]] block_span* spans,
                  [[maybe_unused]] int rounds, [[maybe_unused]] bool own) {
#if __CUDA_ARCH__ >= 900
  __shared__ unsigned next[links];
  const unsigned rank = gpu::ptx::cluster_ctarank();
  for (unsigned i = threadIdx.x; i < links; i += following) next[i] = mapa(rank, next + (i + 33) % links);
  barrier_cluster();
  if (rank == 0 && threadIdx.x == 0) {
    unsigned at = mapa(own ? 0 : 1, next);
    const span_clock clock;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
      for (int s = 0; s < steps; ++s) at = gpu::ptx::ld_shared_cluster_u32(at);
    }
    *results = static_cast<float>(at);
    clock.end(spans);
  }
  __syncwarp();
  barrier_cluster();
#endif
}

__global__ void __launch_bounds__(meeting)
    meet_kernel([[maybe_unused]] float* results, [[maybe_unused]] block_span* spans,
                [[maybe_unused]] int rounds) {
#if __CUDA_ARCH__ >= 900
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int b = 0; b < barriers; ++b) barrier_cluster();
  }
  results[blockIdx.x] = 0;
  clock.end(spans);
#endif
}

// The launch of `clusters` clusters of `cluster` blocks each, on the default stream.
gpu::kernel_launch launch_in_clusters(int cluster, int clusters, unsigned block_threads,
                                      std::size_t shared_bytes) {
  return gpu::kernel_launch(dim3(static_cast<unsigned>(cluster * clusters)), dim3(block_threads), nullptr,
                            shared_bytes)
      .cluster(dim3(static_cast<unsigned>(cluster)));
}

template <class Kernel>
void allow_large(Kernel kernel) {
  gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
             "cudaFuncSetAttribute of the cluster");
}

}  // namespace

int clusters_at_once(int cluster) {
  allow_large(ring_kernel);
  const auto launch = launch_in_clusters(cluster, 1, threads, shared_bytes);
  int count = 0;
  if (cudaOccupancyMaxActiveClusters(&count, ring_kernel, launch.config()) == cudaSuccess) return count;
  (void)cudaGetLastError();
  return 0;
}

double read_next_block(const kernel_call& call, int cluster, int clusters) {
  allow_large(ring_kernel);
  const auto launch = launch_in_clusters(cluster, clusters, threads, shared_bytes);
  gpu::check(
      cudaLaunchKernelEx(launch.config(), ring_kernel, call.results, call.spans, call.rounds, round_step),
      "cudaLaunchKernelEx of ring_kernel");
  return 16.0 * loads_per_round * threads * cluster * clusters * call.rounds;
}

double follow_in_cluster(const kernel_call& call, int cluster, bool own) {
  allow_large(follow_kernel);
  const auto launch = launch_in_clusters(cluster, 1, following, 0);
  gpu::check(cudaLaunchKernelEx(launch.config(), follow_kernel, call.results, call.spans, call.rounds, own),
             "cudaLaunchKernelEx of follow_kernel");
  return double{steps} * call.rounds;
}

double meet_in_cluster(const kernel_call& call, int cluster) {
  allow_large(meet_kernel);
  const auto launch = launch_in_clusters(cluster, 1, meeting, 0);
  gpu::check(cudaLaunchKernelEx(launch.config(), meet_kernel, call.results, call.spans, call.rounds),
             "cudaLaunchKernelEx of meet_kernel");
  return double{barriers} * call.rounds;
}

}  // namespace ridge::backends::probe_cuda
