// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programmatic dependent launch (PTX ISA, griddepcontrol). Below compute capability 9.0, where no launch is
// dependent, these functions do nothing.
namespace ridge::gpu::ptx {

// griddepcontrol.launch_dependents: blocks of the next kernel may start once every block of this kernel has
// executed this instruction or ended.
__device__ inline void griddepcontrol_launch_dependents() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// griddepcontrol.wait: waits until the previous kernel has ended and its writes are visible.
__device__ inline void griddepcontrol_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace ridge::gpu::ptx
