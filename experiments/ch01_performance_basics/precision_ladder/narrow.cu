// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include <ridge/base/element.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "precision_ladder.hpp"

namespace ridge::experiments::ch01_precision_ladder {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned most_blocks = 2048;
constexpr float largest_e4m3 = 448;

__device__ std::uint32_t bits(float x, float, tf32_bits) {
  // Keeps 10 of fp32's 23 bits of mantissa; the exponent's range is the same.
  return static_cast<std::uint32_t>(element::encode<10, 127>(element::bits_of(x) & 0x7FFFFFFFu) << 13) |
         (element::bits_of(x) & 0x80000000u);
}
__device__ std::uint16_t bits(float x, float, bf16_bits) { return bf16(x).bits; }
__device__ std::uint8_t bits(float x, float steps, e4m3_bits) { return e4m3(x * steps).bits; }

struct flat {
  std::int64_t rows, columns, padded_rows, padded_columns;
};

// `scale` points to the value of one step, or is null.
template <class Type>
__global__ void __launch_bounds__(threads)
    narrow_matrix(const float* source, typename Type::type* target, const float* scale, flat size) {
  const float steps = scale && *scale > 0 ? 1 / *scale : 1;
  const std::int64_t count = size.padded_rows * size.padded_columns;
  const std::int64_t stride = std::int64_t{gridDim.x} * threads;
  for (std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x; i < count; i += stride) {
    const std::int64_t row = i / size.padded_columns, column = i % size.padded_columns;
    const bool inside = row < size.rows && column < size.columns;
    target[i] = bits(inside ? source[row * size.columns + column] : 0.0F, steps, Type{});
  }
}

// Magnitudes of floats are ordered as their bits are.
__global__ void __launch_bounds__(threads)
    largest_magnitude(const float* source, std::int64_t n, float* target) {
  float largest = 0;
  const std::int64_t stride = std::int64_t{gridDim.x} * threads;
  for (std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x; i < n; i += stride) {
    largest = fmaxf(largest, fabsf(source[i]));
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFFu, largest, lanes));
  }
  if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<unsigned*>(target), element::bits_of(largest));
}

__global__ void steps_from_largest(float* scales) { scales[threadIdx.x * floats_a_scale] /= largest_e4m3; }

unsigned striding_blocks(std::int64_t n) {
  return std::min(most_blocks, gpu::blocks_for(as_count(n), threads));
}

void find_scales(const workload& w, float* scales, stream queue) {
  gpu::check(cudaMemsetAsync(scales, 0, 2 * floats_a_scale * sizeof(float), queue),
             "cudaMemsetAsync of two scales");
  const std::span<const float> inputs[] = {w.a, w.b};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto n = as_integer(inputs[i].size());
    if (n == 0) continue;
    gpu::launch(largest_magnitude, {striding_blocks(n), threads, 0, queue}, inputs[i].data(), n,
                scales + i * floats_a_scale);
  }
  gpu::launch(steps_from_largest, {1, 2, 0, queue}, scales);
}

template <class Type>
void narrow_one(std::span<const float> source, std::span<std::byte> target, const float* scale, flat size,
                stream queue) {
  using element_type = typename Type::type;
  if (target.empty()) return;
  gpu::launch(narrow_matrix<Type>,
              {striding_blocks(size.padded_rows * size.padded_columns), threads, 0, queue}, source.data(),
              reinterpret_cast<element_type*>(target.data()), scale, size);
}

}  // namespace

template <class Type>
void narrow(const workload& w, const padded_operands& target, stream queue) {
  const auto columns = target.pitch / as_integer(sizeof(typename Type::type));
  float* scales = target.scales.empty() ? nullptr : target.scales.data();
  if (scales) find_scales(w, scales, queue);
  narrow_one<Type>(w.a, target.a, scales, {w.m, w.k, round_up(w.m, padded_rows_to), columns}, queue);
  narrow_one<Type>(w.b, target.b, scales ? scales + floats_a_scale : nullptr,
                   {w.n, w.k, round_up(w.n, padded_rows_to), columns}, queue);
}

template void narrow<tf32_bits>(const workload&, const padded_operands&, stream);
template void narrow<bf16_bits>(const workload&, const padded_operands&, stream);
template void narrow<e4m3_bits>(const workload&, const padded_operands&, stream);

}  // namespace ridge::experiments::ch01_precision_ladder
