// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programmatic dependent launch (PTX ISA, griddepcontrol). They do nothing below compute capability 9.0,
// where no launch is dependent.
namespace ridge::gpu::ptx {

// Blocks of the next kernel may take their places once every block of this one has executed it or ended.
__device__ inline void griddepcontrol_launch_dependents() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// Waits until the kernel before has ended and what it wrote is visible.
__device__ inline void griddepcontrol_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace ridge::gpu::ptx
