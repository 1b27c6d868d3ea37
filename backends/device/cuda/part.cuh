// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ridge/gpu/launch.hpp>

namespace ridge::backends::device_cuda {

inline constexpr unsigned fill_threads = 256;

// Elements [first, first + count) of a stream and where they go.
template <class T>
struct part {
  T* destination;
  std::uint64_t first, count;
};

// Four elements, stored at once.
template <class T>
struct alignas(sizeof(T) >= 4 ? 16 : 4 * sizeof(T)) four {
  T elements[4];
};

// Elements index .. index + 3 of the stream, those of them that belong to the part.
template <class T>
__device__ void store(const part<T>& p, std::uint64_t index, const four<T>& values) {
  T* at = p.destination + static_cast<std::int64_t>(index - p.first);
  const bool whole = index >= p.first && index - p.first + 4 <= p.count;
  if (whole && reinterpret_cast<std::uintptr_t>(at) % alignof(four<T>) == 0) {
    *reinterpret_cast<four<T>*>(at) = values;
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (index + i >= p.first && index + i - p.first < p.count) at[i] = values.elements[i];
  }
}

// This thread's number in a launch of fill_blocks(...) blocks.
__device__ inline std::uint64_t thread_number() {
  return std::uint64_t{blockIdx.x} * fill_threads + threadIdx.x;
}

inline unsigned fill_blocks(std::uint64_t threads) { return gpu::blocks_for(threads, fill_threads); }

// How many groups of `size` elements the part touches.
template <class T>
std::uint64_t groups_of(const part<T>& p, std::uint64_t size) {
  return (p.first + p.count - 1) / size - p.first / size + 1;
}

}  // namespace ridge::backends::device_cuda
