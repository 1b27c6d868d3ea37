// SPDX-License-Identifier: Apache-2.0
#include "clusters/cluster_kernels.hpp"

#include <ridge/gpu/check.hpp>
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

__device__ void meet() {
  gpu::ptx::barrier_cluster_arrive_release();
  gpu::ptx::barrier_cluster_wait_acquire();
}

// The same place in the shared memory of the cluster's block of that rank.
__device__ unsigned address_in(unsigned rank, const void* pointer) {
  return gpu::ptx::mapa_shared_cluster(gpu::ptx::shared_address(pointer), rank);
}

__device__ unsigned load_four(unsigned address, unsigned sum) {
  const uint4 v = gpu::ptx::ld_shared_cluster_v4_b32(address);
  return (v.x ^ v.y ^ sum) ^ (v.z ^ v.w);
}

#endif

__global__ void __launch_bounds__(threads)
    ring_kernel([[maybe_unused]] float* to, [[maybe_unused]] block_span* spans, [[maybe_unused]] int rounds,
                [[maybe_unused]] unsigned step) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ unsigned held[];
  for (unsigned i = threadIdx.x; i < shared_bytes / 4; i += threads)
    held[i] = held_word(gpu::ptx::cluster_ctarank(), i);
  meet();
  const unsigned next = (gpu::ptx::cluster_ctarank() + 1) % gpu::ptx::cluster_nctarank();
  const unsigned first = address_in(next, held) + load_place(threadIdx.x, 0, shared_apart);
  unsigned sums[at_once] = {};
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
    const unsigned at = first + round_place(static_cast<unsigned>(r), step, shared_most);
#pragma unroll
    for (unsigned k = 0; k < loads_a_round; ++k)
      sums[k % at_once] = load_four(at + k * shared_apart, sums[k % at_once]);
  }
  unsigned sum = 0;
  for (const unsigned one : sums) sum ^= one;
  to[blockIdx.x * threads + threadIdx.x] = static_cast<float>(sum);
  clock.end(spans);
  meet();  // nobody leaves while its memory is read
#endif
}

__global__ void __launch_bounds__(following)
    follow_kernel([[maybe_unused]] float* to, [[maybe_unused]] block_span* spans, [[maybe_unused]] int rounds,
                  [[maybe_unused]] bool own) {
#if __CUDA_ARCH__ >= 900
  __shared__ unsigned next[links];
  const unsigned rank = gpu::ptx::cluster_ctarank();
  for (unsigned i = threadIdx.x; i < links; i += following)
    next[i] = address_in(rank, next + (i + 33) % links);
  meet();
  if (rank == 0 && threadIdx.x == 0) {
    unsigned at = address_in(own ? 0 : 1, next);
    const span_clock clock;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
      for (int s = 0; s < steps; ++s) at = gpu::ptx::ld_shared_cluster_u32(at);
    }
    *to = static_cast<float>(at);
    clock.end(spans);
  }
  __syncwarp();
  meet();
#endif
}

__global__ void __launch_bounds__(meeting)
    meet_kernel([[maybe_unused]] float* to, [[maybe_unused]] block_span* spans, [[maybe_unused]] int rounds) {
#if __CUDA_ARCH__ >= 900
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int b = 0; b < barriers; ++b) meet();
  }
  to[blockIdx.x] = 0;
  clock.end(spans);
#endif
}

// A launch of blocks in clusters. Not to be copied: the configuration points at the attribute beside it.
class cluster_launch {
 public:
  cluster_launch(int cluster, int clusters, unsigned block_threads, unsigned shared) {
    size_.id = cudaLaunchAttributeClusterDimension;
    size_.val.clusterDim = {.x = static_cast<unsigned>(cluster), .y = 1, .z = 1};
    config_.gridDim = dim3(static_cast<unsigned>(cluster * clusters));
    config_.blockDim = dim3(block_threads);
    config_.dynamicSmemBytes = shared;
    config_.attrs = &size_;
    config_.numAttrs = 1;
  }
  cluster_launch(const cluster_launch&) = delete;
  cluster_launch& operator=(const cluster_launch&) = delete;
  [[nodiscard]] const cudaLaunchConfig_t& config() const { return config_; }

 private:
  cudaLaunchAttribute size_{};
  cudaLaunchConfig_t config_{};
};

template <class Kernel>
void allow_large(Kernel kernel) {
  gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
             "cudaFuncSetAttribute of the cluster");
}

}  // namespace

int clusters_at_once(int cluster) {
  allow_large(ring_kernel);
  const cluster_launch launch(cluster, 1, threads, shared_bytes);
  int count = 0;
  if (cudaOccupancyMaxActiveClusters(&count, ring_kernel, &launch.config()) == cudaSuccess) return count;
  (void)cudaGetLastError();
  return 0;
}

double read_next_block(const kernel_call& call, int cluster, int clusters) {
  allow_large(ring_kernel);
  const cluster_launch launch(cluster, clusters, threads, shared_bytes);
  gpu::check(cudaLaunchKernelEx(&launch.config(), ring_kernel, call.to, call.spans, call.rounds, round_step),
             "cudaLaunchKernelEx of ring_kernel");
  return 16.0 * loads_a_round * threads * cluster * clusters * call.rounds;
}

double follow_in_cluster(const kernel_call& call, int cluster, bool own) {
  allow_large(follow_kernel);
  const cluster_launch launch(cluster, 1, following, 0);
  gpu::check(cudaLaunchKernelEx(&launch.config(), follow_kernel, call.to, call.spans, call.rounds, own),
             "cudaLaunchKernelEx of follow_kernel");
  return double{steps} * call.rounds;
}

double meet_in_cluster(const kernel_call& call, int cluster) {
  allow_large(meet_kernel);
  const cluster_launch launch(cluster, 1, meeting, 0);
  gpu::check(cudaLaunchKernelEx(&launch.config(), meet_kernel, call.to, call.spans, call.rounds),
             "cudaLaunchKernelEx of meet_kernel");
  return double{barriers} * call.rounds;
}

}  // namespace ridge::backends::probe_cuda
