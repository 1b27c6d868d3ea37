// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include <cuda_runtime_api.h>

#include <ridge/base/byte_units.hpp>
#include <ridge/gpu/memory.hpp>

namespace ridge::backends::probe_cuda {

// Sizes in bytes.
inline constexpr std::size_t kibibyte = kib, mebibyte = mib, gibibyte = gib;

// Size of each of the two shared arrays.
inline constexpr std::size_t array_bytes = std::size_t{1} << 30, array_floats = array_bytes / sizeof(float);

// The device that all probes share: device 0 and two arrays of array_bytes in its memory, allocated on first
// use. All work is enqueued on the default stream.
class gpu_bench final {
 public:
  // Opens device 0. Throws unavailable where there is no GPU.
  gpu_bench();

  // Properties of the device, its number of multiprocessors and the size of its L2 in bytes.
  [[nodiscard]] const cudaDeviceProp& properties() const { return properties_; }
  [[nodiscard]] int processors() const { return properties_.multiProcessorCount; }
  [[nodiscard]] double cache_bytes() const { return static_cast<double>(properties_.l2CacheSize); }
  // The array that probes read: random numbers between -0.5 and 0.5, unless a probe has written others.
  [[nodiscard]] float* source();
  // The array that probes write; its content is undefined.
  [[nodiscard]] float* target();
  // Frees the arrays, for a probe that needs all memory.
  void release();

 private:
  cudaDeviceProp properties_{};
  gpu::device_memory source_{}, target_{};
};

}  // namespace ridge::backends::probe_cuda
