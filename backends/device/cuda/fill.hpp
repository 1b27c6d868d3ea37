// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include <ridge/base/dtype.hpp>
#include <ridge/device/distribution.hpp>
#include <ridge/device/line.hpp>

namespace ridge::backends::device_cuda {

// device::fill of memory the device may write, enqueued: the same numbers, the same bugs. Bug: filled_by.
void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
          std::uint64_t first, std::uint64_t of, cudaStream_t queue);

// The parts of it, for a target that is not empty: elements from `first` on, checked by the caller.
struct target {
  std::byte* to;
  dtype type;
  std::uint64_t count, key, first;
  cudaStream_t queue;
};
void fill_normal(const target& t, const device::line& l);
void fill_uniform(const target& t, const device::line& l);
void fill_integers(const target& t, std::uint64_t below);
void fill_permutation(const target& t, std::uint64_t of);
void fill_random_bits(const target& t);
// `element`: the bytes of one.
void fill_constant(const target& t, std::span<const std::byte> element);

}  // namespace ridge::backends::device_cuda
