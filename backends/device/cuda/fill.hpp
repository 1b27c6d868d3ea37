// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include <ridge/base/dtype.hpp>
#include <ridge/device/array_store.hpp>
#include <ridge/device/distribution.hpp>
#include <ridge/device/line.hpp>

#include "scratch.hpp"

namespace ridge::backends::device_cuda {

// Enqueues device::fill of memory that the device may write: the same numbers and the same bugs. Bug:
// filled_by.
void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
          std::uint64_t first, std::uint64_t whole_count, cudaStream_t queue);

// Enqueues device::fill_parts; `room` holds the parts on the device.
void fill_parts(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                std::span<const device::part> parts, scratch& room, cudaStream_t queue);

// The target of the functions below: not empty, elements from `first` on, checked by the caller.
struct target {
  std::byte* destination;
  dtype type;
  std::uint64_t count, key, first;
  cudaStream_t queue;
};
void fill_normal(const target& t, const device::line& l);
void fill_uniform(const target& t, const device::line& l);
void fill_integers(const target& t, std::uint64_t below);
void fill_permutation(const target& t, std::uint64_t whole_count);
void fill_random_bits(const target& t);
// `element` holds the bytes of one element.
void fill_constant(const target& t, std::span<const std::byte> element);
// `parts` lies in device memory; `t` is the whole array; `constant_element` holds the bytes of one element
// where `d` is a constant.
void fill_parts(const target& t, std::span<const device::part> parts, const distribution& d,
                std::span<const std::byte> constant_element);

}  // namespace ridge::backends::device_cuda
