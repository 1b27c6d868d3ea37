// SPDX-License-Identifier: Apache-2.0
#include "matrix_units/fill_operands.hpp"

#include <ridge/gpu/launch.cuh>

#include "matrix_units/random_operands.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 256, blocks = 1024;

// Masks of a word's bits that are drawn at random and of those that are set, for even words and for odd
// words.
struct word_pair {
  std::uint32_t random[2], fixed[2];
};
struct any_bits {
  static constexpr std::uint32_t random = 0xFFFFFFFF, fixed = 0;
};

template <class Type>
constexpr word_pair both() {
  return {{Type::random, Type::random}, {Type::fixed, Type::fixed}};
}

word_pair bits_of(element type) {
  switch (type) {
    case element::bf16:
      return both<bf16_operand>();
    case element::fp16:
      return both<fp16_operand>();
    case element::fp8:
      return both<fp8_operand>();
    case element::int8:
      return both<int8_operand>();
    case element::fp64:
      return {{0xFFFFFFFF, 0x803FFFFF}, {0, 0x3FC00000}};
    default:
      return {{0x81FFFFFF, 0x81FFFFFF}, {0x3E000000, 0x3E000000}};
  }
}

__global__ void fill_kernel(std::uint32_t* operands, std::size_t words, word_pair bits) {
  for (std::size_t i = blockIdx.x * threads + threadIdx.x; i < words; i += std::size_t{blocks} * threads) {
    const auto drawn = random_word<any_bits>(static_cast<std::uint32_t>(i));
    operands[i] =
        i % 2 == 0 ? (drawn & bits.random[0]) | bits.fixed[0] : (drawn & bits.random[1]) | bits.fixed[1];
  }
}

}  // namespace

void fill_operands(void* operands, std::size_t bytes, element type) {
  gpu::launch(fill_kernel, {blocks, threads}, static_cast<std::uint32_t*>(operands), bytes / 4,
              bits_of(type));
}

}  // namespace ridge::backends::probe_cuda
