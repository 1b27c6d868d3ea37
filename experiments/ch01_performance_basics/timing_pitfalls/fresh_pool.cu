// SPDX-License-Identifier: Apache-2.0
#include "fresh_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <ridge/gpu/check.hpp>

namespace ridge::experiments::ch01_timing_pitfalls {

fresh_pool::fresh_pool() {
  cudaMemPoolProps how{};
  how.allocType = cudaMemAllocationTypePinned;
  how.location.type = cudaMemLocationTypeDevice;
  gpu::check(cudaGetDevice(&how.location.id), "cudaGetDevice");
  cudaMemPool_t pool = nullptr;
  gpu::check(cudaMemPoolCreate(&pool, &how), "cudaMemPoolCreate");
  handle_.reset(pool);
  std::uint64_t kept = std::numeric_limits<std::uint64_t>::max();
  gpu::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
             "cudaMemPoolSetAttribute");
}

std::span<float> fresh_pool::allocate(std::size_t elements, cudaStream_t on) const {
  void* at = nullptr;
  const auto bytes = std::max<std::size_t>(elements, 1) * sizeof(float);
  gpu::check(cudaMallocFromPoolAsync(&at, bytes, handle_.get(), on), "cudaMallocFromPoolAsync");
  return {static_cast<float*>(at), elements};
}

void fresh_pool::release(std::span<float> elements, cudaStream_t on) {
  gpu::check(cudaFreeAsync(elements.data(), on), "cudaFreeAsync");
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
