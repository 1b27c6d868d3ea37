// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fences between the generic and the asynchronous proxy, and the fence after the initialization of mbarriers
// (PTX ISA, membar/fence). Compute capability 9.0.
namespace ridge::gpu::ptx {

#if __CUDA_ARCH__ >= 900

// fence.proxy.async: makes this thread's writes visible to asynchronous copies and wgmma.
__device__ inline void fence_proxy_async() { asm volatile("fence.proxy.async;" ::: "memory"); }

// fence.proxy.async.shared::cta: the same fence for writes to the block's own shared memory only.
__device__ inline void fence_proxy_async_shared_cta() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// fence.mbarrier_init: makes the mbarriers that this thread initialized visible to the cluster and to
// asynchronous copies.
__device__ inline void fence_mbarrier_init_release_cluster() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

#endif

}  // namespace ridge::gpu::ptx
