// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <cuda_runtime_api.h>

namespace ridge::experiments::ch01_timing_pitfalls {

// A memory pool of the current device that holds no memory yet, and keeps what it was given.
class fresh_pool {
 public:
  fresh_pool();
  // In the stream's order; the elements are undefined.
  [[nodiscard]] std::span<float> allocate(std::size_t elements, cudaStream_t on) const;
  static void release(std::span<float> elements, cudaStream_t on);

 private:
  struct destroy {
    void operator()(cudaMemPool_t pool) const { static_cast<void>(cudaMemPoolDestroy(pool)); }
  };
  std::unique_ptr<CUmemPoolHandle_st, destroy> handle_;
};

}  // namespace ridge::experiments::ch01_timing_pitfalls
