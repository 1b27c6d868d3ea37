// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/cluster.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/mbarrier.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "cluster_exchange.hpp"

namespace ridge::experiments::ch10_cluster_exchange {
namespace {

// A block is a warp; lane l takes the number of block l.
constexpr unsigned warp = 32, all_lanes = 0xFFFFFFFFU, most = most_blocks;

__device__ std::uint32_t read_again(const std::uint32_t* number) {
  return *static_cast<const volatile std::uint32_t*>(number);
}

__global__ void __launch_bounds__(warp) meet_by_atomics(workload w, global_places places) {
  const unsigned lane = threadIdx.x, blocks = gridDim.x;
  std::uint32_t x = w.seeds[blockIdx.x];
  for (unsigned round = 0; round < w.rounds; ++round) {
    std::uint32_t* numbers = places.numbers + round % 2 * most;
    if (lane == 0) {
      numbers[blockIdx.x] = x;
      __threadfence();
      atomicAdd(places.arrivals, 1);
      while (read_again(places.arrivals) < blocks * (round + 1)) {
      }
      __threadfence();
    }
    __syncwarp();
    x = next(x, __reduce_add_sync(all_lanes, lane < blocks ? read_again(numbers + lane) : 0));
  }
  if (lane == 0) w.results[blockIdx.x] = x;
}

__global__ void __launch_bounds__(warp) meet_in_grid(workload w, global_places places) {
  const unsigned lane = threadIdx.x, blocks = gridDim.x;
  std::uint32_t x = w.seeds[blockIdx.x];
  for (unsigned round = 0; round < w.rounds; ++round) {
    std::uint32_t* numbers = places.numbers + round % 2 * most;
    if (lane == 0) numbers[blockIdx.x] = x;
    cooperative_groups::this_grid().sync();
    x = next(x, __reduce_add_sync(all_lanes, lane < blocks ? read_again(numbers + lane) : 0));
  }
  if (lane == 0) w.results[blockIdx.x] = x;
}

// In both kernels on clusters two places take turns: a block writes a place again only after it has what the
// others sent in the round between, which they did after they had read it.
__global__ void __launch_bounds__(warp) meet_in_cluster([[maybe_unused]] workload w) {
#if __CUDA_ARCH__ >= 900
  __shared__ std::uint32_t numbers[2];
  const unsigned lane = threadIdx.x, blocks = gridDim.x;
  std::uint32_t x = w.seeds[blockIdx.x];
  for (unsigned round = 0; round < w.rounds; ++round) {
    if (lane == 0) numbers[round % 2] = x;
    gpu::ptx::barrier_cluster_arrive_release();
    gpu::ptx::barrier_cluster_wait_acquire();
    const auto own = gpu::ptx::shared_address(&numbers[round % 2]);
    const auto peer = gpu::ptx::mapa_shared_cluster(own, lane % blocks);
    const std::uint32_t number = gpu::ptx::ld_shared_cluster_u32(peer);
    x = next(x, __reduce_add_sync(all_lanes, lane < blocks ? number : 0));
  }
  if (lane == 0) w.results[blockIdx.x] = x;
  gpu::ptx::barrier_cluster_arrive_release();  // nobody reads from a block that has ended
  gpu::ptx::barrier_cluster_wait_acquire();
#endif
}

__global__ void __launch_bounds__(warp) meet_by_stores([[maybe_unused]] workload w) {
#if __CUDA_ARCH__ >= 900
  __shared__ std::uint32_t numbers[2][most];
  __shared__ std::uint64_t barriers[2];
  const unsigned lane = threadIdx.x, blocks = gridDim.x;
  std::uint32_t x = w.seeds[blockIdx.x];
  if (lane < 2) gpu::ptx::mbarrier_init(gpu::ptx::shared_address(&barriers[lane]), 1);
  gpu::ptx::fence_mbarrier_init_release_cluster();
  gpu::ptx::barrier_cluster_arrive_release();
  gpu::ptx::barrier_cluster_wait_acquire();
  for (unsigned round = 0; round < w.rounds; ++round) {
    const auto barrier = gpu::ptx::shared_address(&barriers[round % 2]);
    if (lane == 0) gpu::ptx::mbarrier_arrive_expect_tx(barrier, blocks * 4);
    if (lane < blocks) {
      const auto place = gpu::ptx::shared_address(&numbers[round % 2][blockIdx.x]);
      gpu::ptx::st_async_shared_cluster_u32(gpu::ptx::mapa_shared_cluster(place, lane), x,
                                            gpu::ptx::mapa_shared_cluster(barrier, lane));
    }
    while (!gpu::ptx::mbarrier_try_wait_parity_acquire_cluster(barrier, round / 2 % 2)) {
    }
    x = next(x, __reduce_add_sync(all_lanes, lane < blocks ? numbers[round % 2][lane] : 0));
  }
  if (lane == 0) w.results[blockIdx.x] = x;
  gpu::ptx::barrier_cluster_arrive_release();  // nobody sends to a block that has ended
  gpu::ptx::barrier_cluster_wait_acquire();
#endif
}

void launch_one_cluster(void (*kernel)(workload), const workload& w, stream queue) {
  gpu::check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                  cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
             "cudaFuncSetAttribute of a cluster");
  const auto blocks = static_cast<unsigned>(w.blocks);
  auto launch = gpu::kernel_launch(blocks, warp, queue);
  launch.cluster(blocks);
  gpu::check(cudaLaunchKernelEx(launch.config(), kernel, w), "launch of a cluster");
}

}  // namespace

void launch_global_atomics(const workload& w, const global_places& places, stream queue) {
  gpu::launch(meet_by_atomics, {static_cast<unsigned>(w.blocks), warp, 0, queue}, w, places);
}

void launch_cooperative_grid(const workload& w, const global_places& places, stream queue) {
  workload own = w;
  global_places where = places;
  void* arguments[] = {&own, &where};
  gpu::check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(meet_in_grid),
                                         static_cast<unsigned>(w.blocks), warp, arguments, 0, queue),
             "cudaLaunchCooperativeKernel");
}

void launch_shared_cluster(const workload& w, stream queue) { launch_one_cluster(meet_in_cluster, w, queue); }
void launch_async_stores(const workload& w, stream queue) { launch_one_cluster(meet_by_stores, w, queue); }

}  // namespace ridge::experiments::ch10_cluster_exchange
