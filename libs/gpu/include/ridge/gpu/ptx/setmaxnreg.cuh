// SPDX-License-Identifier: Apache-2.0
#pragma once

// Moves registers between the warps of a block (PTX ISA, setmaxnreg). `Count` is a multiple of 8 between 24
// and 256 and the same for all warps of a warpgroup. Compute capability 9.0, architecture-specific code
// (sm_90a).
namespace ridge::gpu::ptx {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// setmaxnreg.inc: requests registers up to `Count` per thread and waits until they are free.
template <int Count>
__device__ void setmaxnreg_inc() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count));
}

// setmaxnreg.dec: releases all registers beyond `Count` per thread.
template <int Count>
__device__ void setmaxnreg_dec() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
}

#endif

}  // namespace ridge::gpu::ptx
