// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fences between the generic and the asynchronous proxy, and of barriers' initialization (PTX ISA,
// membar/fence). Compute capability 9.0.
namespace ridge::gpu::ptx {

#if __CUDA_ARCH__ >= 900

// fence.proxy.async: what this thread wrote becomes visible to asynchronous copies and wgmma.
__device__ inline void fence_proxy_async() { asm volatile("fence.proxy.async;" ::: "memory"); }

// The same for the block's own shared memory alone.
__device__ inline void fence_proxy_async_shared_cta() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// fence.mbarrier_init: mbarriers that this thread initialized become visible to the cluster and to
// asynchronous copies.
__device__ inline void fence_mbarrier_init_release_cluster() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

#endif

}  // namespace ridge::gpu::ptx
