// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include <ridge/base/with_dtype.hpp>
#include <ridge/device/generate.hpp>
#include <ridge/device/shuffle.hpp>
#include <ridge/gpu/check.hpp>

#include "fill.hpp"
#include "words.cuh"

namespace ridge::backends::device_cuda {
namespace {

template <class T>
__device__ T whole(std::uint64_t value) {
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, double>)
    return static_cast<T>(value);
  else
    return static_cast<T>(static_cast<float>(value));
}

template <class T>
struct below_limit {
  std::uint64_t below;
  __device__ T operator()(std::uint32_t word) const { return whole<T>(word * below >> 32); }
};

template <class T>
__global__ void __launch_bounds__(fill_threads)
    fill_wide_integers(part<T> p, std::uint64_t key, std::uint64_t below) {
  const std::uint64_t i = thread_number();
  if (i < p.count) p.to[i] = whole<T>(device::integer_at(key, p.first + i, below));
}

template <class T>
__global__ void __launch_bounds__(fill_threads) fill_places(part<T> p, device::shuffle place) {
  const std::uint64_t i = thread_number();
  if (i < p.count) p.to[i] = whole<T>(place(p.first + i));
}

template <class T>
part<T> part_of(const target& t) {
  return {reinterpret_cast<T*>(t.to), t.first, t.count};
}

}  // namespace

void fill_integers(const target& t, std::uint64_t below) {
  with_dtype(t.type, [&]<class T>() {
    if (below <= std::uint64_t{1} << 32) {
      launch_from_words(part_of<T>(t), t.key, below_limit<T>{below}, t.queue);
    } else if constexpr (sizeof(T) == 8) {
      fill_wide_integers<<<fill_blocks(t.count), fill_threads, 0, t.queue>>>(part_of<T>(t), t.key, below);
    }
  });
  gpu::check_launch("fill of integers");
}

void fill_permutation(const target& t, std::uint64_t of) {
  const device::shuffle place(t.key, of);
  with_dtype(t.type, [&]<class T>() {
    fill_places<<<fill_blocks(t.count), fill_threads, 0, t.queue>>>(part_of<T>(t), place);
  });
  gpu::check_launch("fill_places");
}

}  // namespace ridge::backends::device_cuda
