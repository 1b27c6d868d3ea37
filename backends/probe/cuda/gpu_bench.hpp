// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include <cuda_runtime_api.h>

#include "allocation/device_memory.hpp"

namespace ridge::backends::probe_cuda {

inline constexpr std::size_t array_bytes = std::size_t{1} << 30, array_floats = array_bytes / sizeof(float);

// What the probes of a GPU share: device 0 and two arrays of array_bytes in its memory, made when first
// asked for. All work is on the default stream.
class gpu_bench final {
 public:
  // Opens device 0. Throws unavailable where there is no GPU.
  gpu_bench();

  [[nodiscard]] const cudaDeviceProp& gpu() const { return gpu_; }
  [[nodiscard]] int processors() const { return gpu_.multiProcessorCount; }
  [[nodiscard]] double cache_bytes() const { return static_cast<double>(gpu_.l2CacheSize); }  // of the L2
  // Numbers of random digits between -0.5 and 0.5 until a probe writes others.
  [[nodiscard]] float* from();
  [[nodiscard]] float* to();
  // Gives the arrays' memory back, for a probe that wants it all.
  void release();

 private:
  cudaDeviceProp gpu_{};
  std::unique_ptr<device_memory> from_{}, to_{};
};

}  // namespace ridge::backends::probe_cuda
