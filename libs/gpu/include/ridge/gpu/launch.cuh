// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/kernel_launch.hpp>
#include <ridge/gpu/launch.hpp>

namespace ridge::gpu {

// Enqueues one kernel and checks that the device accepts the launch. Throws as gpu::check does, with the
// kernel's name in the message; a fault inside the kernel is reported by a later call.
//   gpu::launch(copy, {blocks_for(n, 256), 256, 0, stream}, source, target, n);
// The function is static because each shared object launches its kernels through its own static CUDA runtime.
template <class... Parameters, class... Arguments>
static void launch(void (*kernel)(Parameters...), const launch_shape& shape, Arguments&&... arguments) {
  if (shape.dependent) {
    const auto configured =
        kernel_launch(shape.blocks, shape.threads, shape.stream, shape.shared_bytes).dependent();
    check(cudaLaunchKernelEx(configured.config(), kernel, static_cast<Parameters>(arguments)...),
          "cudaLaunchKernelEx of a dependent kernel");
    return;
  }
  kernel<<<shape.blocks, shape.threads, shape.shared_bytes, shape.stream>>>(
      static_cast<Arguments&&>(arguments)...);
  check_launch_of(reinterpret_cast<const void*>(kernel));
}

// Enqueues a kernel with a thread for each of `count` items in blocks of `threads`; nothing where there are
// none.
//   gpu::launch_each(copy, n, 256, stream, source, target, n);
template <class... Parameters, class... Arguments>
static void launch_each(void (*kernel)(Parameters...), std::size_t count, unsigned threads,
                        cudaStream_t stream, Arguments&&... arguments) {
  if (count == 0) return;
  launch(kernel, {blocks_for(count, threads), threads, 0, stream}, static_cast<Arguments&&>(arguments)...);
}

// Allows blocks of `kernel` to use `bytes` of dynamic shared memory, as the function of the same name that
// takes the kernel's host address.
template <class... Parameters>
static void allow_dynamic_shared_memory(void (*kernel)(Parameters...), std::size_t bytes) {
  allow_dynamic_shared_memory(reinterpret_cast<const void*>(kernel), bytes);
}

}  // namespace ridge::gpu
