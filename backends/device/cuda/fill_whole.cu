// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/with_dtype.hpp>
#include <ridge/device/generate.hpp>
#include <ridge/device/shuffle.hpp>
#include <ridge/gpu/check.hpp>

#include "fill.hpp"
#include "whole.cuh"
#include "words.cuh"

namespace ridge::backends::device_cuda {
namespace {

template <class T>
struct below_limit {
  std::uint64_t below;
  __device__ T operator()(std::uint32_t word) const { return whole<T>(word * below >> 32); }
};

// An element takes two words, so that a block holds two elements: one from words 0 and 1, and the one eight
// elements later from words 2 and 3.
template <class T>
__global__ void __launch_bounds__(fill_threads)
    fill_wide_integers(part<T> p, std::uint64_t key, std::uint64_t below) {
  const std::uint64_t number = p.first / 16 * 8 + thread_number(), index = number / 8 * 16 + number % 8;
  const device::philox_block drawn = device::block_at(key, number, device::purpose::words);
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t wide = drawn.word[2 * half] | std::uint64_t{drawn.word[2 * half + 1]} << 32;
    const std::uint64_t at = index + 8 * half - p.first;
    if (at < p.count) p.destination[at] = whole<T>(device::high_product(wide, below));
  }
}

template <class T>
__global__ void __launch_bounds__(fill_threads) fill_places(part<T> p, device::shuffle place) {
  const std::uint64_t i = thread_number();
  if (i < p.count) p.destination[i] = whole<T>(place(p.first + i));
}

template <class T>
part<T> part_of(const target& t) {
  return {reinterpret_cast<T*>(t.destination), t.first, t.count};
}

}  // namespace

void fill_integers(const target& t, std::uint64_t below) {
  with_dtype(t.type, [&]<class T>() {
    if (below <= std::uint64_t{1} << 32) {
      launch_from_words(part_of<T>(t), t.key, below_limit<T>{below}, t.queue);
    } else if constexpr (sizeof(T) == 8) {
      const auto p = part_of<T>(t);
      fill_wide_integers<<<fill_blocks(8 * groups_of(p, 16)), fill_threads, 0, t.queue>>>(p, t.key, below);
    }
  });
  gpu::check_launch("fill of integers");
}

void fill_permutation(const target& t, std::uint64_t whole_count) {
  const device::shuffle place(t.key, whole_count);
  with_dtype(t.type, [&]<class T>() {
    fill_places<<<fill_blocks(t.count), fill_threads, 0, t.queue>>>(part_of<T>(t), place);
  });
  gpu::check_launch("fill_places");
}

}  // namespace ridge::backends::device_cuda
