// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <type_traits>

#include <ridge/base/with_dtype.hpp>
#include <ridge/device/generate.hpp>
#include <ridge/device/shuffle.hpp>
#include <ridge/gpu/check.hpp>

#include "fill.hpp"
#include "on_line.cuh"
#include "part.cuh"
#include "whole.cuh"

// Parts are many and small: each is filled by one warp, and every element is drawn alone.
namespace ridge::backends::device_cuda {
namespace {

constexpr std::uint64_t lanes = 32;

template <class T, class ElementAt>
__global__ void __launch_bounds__(fill_threads)
    fill_each_part(T* target, const device::part* parts, std::uint64_t count, ElementAt element_at) {
  const std::uint64_t number = thread_number() / lanes;
  if (number >= count) return;
  const device::part p = parts[number];
  for (std::uint64_t i = thread_number() % lanes; i < p.count; i += lanes) {
    target[p.first + i] = element_at(p.first + i);
  }
}

template <class T>
struct normal_element {
  std::uint64_t key;
  on_line<T> make;
  __device__ T operator()(std::uint64_t index) const { return make.of(device::normal_at(key, index)); }
};

template <class T>
struct uniform_element {
  std::uint64_t key;
  on_line<T> make;
  __device__ T operator()(std::uint64_t index) const { return make(device::word_at(key, index)); }
};

template <class T>
struct integer_element {
  std::uint64_t key, below;
  __device__ T operator()(std::uint64_t index) const {
    return whole<T>(device::integer_at(key, index, below));
  }
};

template <class T>
struct bits_element {
  std::uint64_t key;
  __device__ T operator()(std::uint64_t index) const {
    return static_cast<T>(device::bits_at(key, index, sizeof(T)));
  }
};

template <class T>
struct place_element {
  device::shuffle place;
  __device__ T operator()(std::uint64_t index) const { return whole<T>(place(index)); }
};

template <class T>
struct same_element {
  T value;
  __device__ T operator()(std::uint64_t) const { return value; }
};

template <class T>
struct launcher {
  const target& t;
  std::span<const device::part> parts;
  std::span<const std::byte> constant_element;

  void operator()(const normal& d) const {
    const device::line l = device::line_of(d, t.type);
    if constexpr (!std::is_integral_v<T>) launch(normal_element<T>{t.key, on_line<T>(l, 0)});
  }
  void operator()(const uniform& d) const {
    const device::line l = device::line_of(d, t.type);
    const std::uint32_t shift = 32 - device::uniform_bits(t.type);
    if constexpr (!std::is_integral_v<T>) launch(uniform_element<T>{t.key, on_line<T>(l, shift)});
  }
  void operator()(const integers& d) const { launch(integer_element<T>{t.key, d.below}); }
  void operator()(const constant&) const {
    same_element<T> same{};
    std::memcpy(&same.value, constant_element.data(), sizeof(T));
    launch(same);
  }
  void operator()(const permutation&) const { launch(place_element<T>{device::shuffle(t.key, t.count)}); }
  void operator()(const random_bits&) const {
    if constexpr (std::is_unsigned_v<T>) launch(bits_element<T>{t.key});
  }
  void operator()(const filled_by&) const {}

 private:
  template <class ElementAt>
  void launch(const ElementAt& element_at) const {
    const unsigned blocks = fill_blocks(parts.size() * lanes);
    auto* to = reinterpret_cast<T*>(t.destination);
    fill_each_part<<<blocks, fill_threads, 0, t.queue>>>(to, parts.data(), parts.size(), element_at);
  }
};

}  // namespace

void fill_parts(const target& t, std::span<const device::part> parts, const distribution& d,
                std::span<const std::byte> constant_element) {
  with_dtype(t.type, [&]<class T>() { std::visit(launcher<T>{t, parts, constant_element}, d); });
  gpu::check_launch("fill_each_part");
}

}  // namespace ridge::backends::device_cuda
