// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include <ridge/base/with_dtype.hpp>
#include <ridge/device/generate.hpp>
#include <ridge/gpu/check.hpp>

#include "fill.hpp"
#include "on_line.cuh"
#include "words.cuh"

namespace ridge::backends::device_cuda {
namespace {

// A thread makes two pairs from six blocks.
template <class T>
__global__ void __launch_bounds__(fill_threads) fill_normals(part<T> p, std::uint64_t key, on_line<T> make) {
  const std::uint64_t quad = p.first / 4 + thread_number();
  if (4 * quad >= p.first + p.count) return;
  four<T> values;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const std::uint64_t pair = 2 * quad + i;
    const auto even = device::block_at(key, pair, device::purpose::normals, 0);
    const auto shared = device::block_at(key, pair, device::purpose::normals, 1);
    const auto odd = device::block_at(key, pair, device::purpose::normals, 2);
    values.elements[2 * i] = make.of(device::normal_from(even, shared, 0));
    values.elements[2 * i + 1] = make.of(device::normal_from(odd, shared, 1));
  }
  store(p, 4 * quad, values);
}

template <class T>
part<T> part_of(const target& t) {
  return {reinterpret_cast<T*>(t.destination), t.first, t.count};
}

}  // namespace

void fill_normal(const target& t, const device::line& l) {
  with_dtype(t.type, [&]<class T>() {
    if constexpr (!std::is_integral_v<T>) {
      const auto p = part_of<T>(t);
      fill_normals<<<fill_blocks(groups_of(p, 4)), fill_threads, 0, t.queue>>>(p, t.key, on_line<T>(l, 0));
    }
  });
  gpu::check_launch("fill_normals");
}

void fill_uniform(const target& t, const device::line& l) {
  const std::uint32_t shift = 32 - device::uniform_bits(t.type);
  with_dtype(t.type, [&]<class T>() {
    if constexpr (!std::is_integral_v<T>) {
      launch_from_words(part_of<T>(t), t.key, on_line<T>(l, shift), t.queue);
    }
  });
  gpu::check_launch("fill_from_words of uniforms");
}

}  // namespace ridge::backends::device_cuda
