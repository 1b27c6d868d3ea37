// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/device/generate.hpp>

#include "part.cuh"

namespace ridge::backends::device_cuda {

// Elements made of one word each: T Make::operator()(std::uint32_t word). A thread takes two neighbouring
// blocks of a group of 32 words (see generate.hpp) and stores words 4t .. 4t+3 and 16+4t .. 16+4t+3 of it.
template <class T, class Make>
__global__ void __launch_bounds__(fill_threads) fill_from_words(part<T> p, std::uint64_t key, Make make) {
  const std::uint64_t number = thread_number(), group = p.first / 32 + number / 4, lane = number % 4;
  if (32 * group >= p.first + p.count) return;
  const device::philox_block a = device::block_at(key, 8 * group + 2 * lane, device::purpose::words);
  const device::philox_block b = device::block_at(key, 8 * group + 2 * lane + 1, device::purpose::words);
  const std::uint64_t index = 32 * group + 4 * lane;
  store(p, index, four<T>{{make(a.word[0]), make(a.word[1]), make(b.word[0]), make(b.word[1])}});
  store(p, index + 16, four<T>{{make(a.word[2]), make(a.word[3]), make(b.word[2]), make(b.word[3])}});
}

template <class T, class Make>
void launch_from_words(const part<T>& p, std::uint64_t key, const Make& make, cudaStream_t queue) {
  fill_from_words<<<fill_blocks(4 * groups_of(p, 32)), fill_threads, 0, queue>>>(p, key, make);
}

}  // namespace ridge::backends::device_cuda
