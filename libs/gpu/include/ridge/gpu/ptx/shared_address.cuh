// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::gpu::ptx {

// The address in the shared state space of the object in shared memory that the generic pointer points to, as
// PTX instructions on .shared take it.
__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

}  // namespace ridge::gpu::ptx
