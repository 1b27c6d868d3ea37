// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/random_operands.hpp>

#include <cstddef>
#include <cstdint>

#include <ridge/gpu/launch.cuh>

namespace ridge::kernels {
namespace {

// A hash each of whose bits depends on all bits of x.
__device__ unsigned hashed(unsigned x) {
  x = ((x >> 16) ^ x) * 0x45d9f3bU;
  x = ((x >> 16) ^ x) * 0x45d9f3bU;
  return (x >> 16) ^ x;
}

template <class Bits>
__global__ void __launch_bounds__(256)
    fill_random(Bits* numbers, std::size_t count, unsigned mask, unsigned set) {
  const auto i = blockIdx.x * std::size_t{256} + threadIdx.x;
  if (i < count) numbers[i] = static_cast<Bits>((hashed(static_cast<unsigned>(i)) & mask) | set);
}

// Bits in `mask` are random, those in `set` are 1.
template <class Bits, class Number>
void fill(std::span<Number> numbers, unsigned mask, unsigned set, cudaStream_t stream) {
  static_assert(sizeof(Bits) == sizeof(Number));
  if (numbers.empty()) return;
  gpu::launch(fill_random<Bits>, {gpu::blocks_for(numbers.size(), 256), 256, 0, stream},
              reinterpret_cast<Bits*>(numbers.data()), numbers.size(), mask, set);
}

}  // namespace

void randomize(std::span<bf16> numbers, cudaStream_t stream) {
  fill<std::uint16_t>(numbers, 0x81FFU, 0x3E00U, stream);
}
void randomize(std::span<e4m3> numbers, cudaStream_t stream) {
  fill<std::uint8_t>(numbers, 0x8FU, 0x30U, stream);
}

}  // namespace ridge::kernels
