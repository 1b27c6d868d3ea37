// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>

#include "matrix_units/matrix_kernels.hpp"
#include "matrix_units/random_operands.hpp"
#include "matrix_units/warpgroup_layout.hpp"
#include "tests/on_gpu.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using namespace warpgroup_layout;

// The number that is encoded by `bits` bits of a word from `first_bit` on: sign, exponent, mantissa.
double number(std::uint32_t word, int first_bit, int bits, int mantissa_bits, int bias) {
  const auto all = (word >> first_bit) & (bits == 32 ? 0xFFFFFFFFu : (1u << bits) - 1);
  const int exponent_bits = bits - 1 - mantissa_bits;
  const auto exponent = static_cast<int>((all >> mantissa_bits) & ((1u << exponent_bits) - 1));
  const double mantissa = 1 + std::ldexp(all & ((1u << mantissa_bits) - 1), -mantissa_bits);
  return (all >> (bits - 1) ? -1 : 1) * std::ldexp(mantissa, exponent - bias);
}

double decoded(bf16_operand, std::uint32_t word, int i) { return number(word, 16 * i, 16, 7, 127); }
double decoded(fp16_operand, std::uint32_t word, int i) { return number(word, 16 * i, 16, 10, 15); }
double decoded(tf32_operand, std::uint32_t word, int) { return number(word, 0, 32, 23, 127); }
double decoded(fp8_operand, std::uint32_t word, int i) { return number(word, 8 * i, 8, 3, 7); }
double decoded(int8_operand, std::uint32_t word, int i) {
  return static_cast<std::int8_t>((word >> (8 * i)) & 0xFFu);
}

// The index of a row's word in 128-byte swizzle: pieces of 16 bytes are permuted by the row's last three
// bits.
unsigned swizzled(int tile_at, int row, int word) {
  return static_cast<unsigned>(tile_at / 4 + row * 32 + ((word / 4) ^ (row % 8)) * 4 + word % 4);
}

// Word `word` of the 32 words of a row of the first warpgroup's first operand, in shared memory or in
// registers. Of each step's eight words a thread holds one of the first four and one of the last four, of
// rows 8 apart (PTX ISA, register fragments of wgmma).
template <class Type>
std::uint32_t first_word(bool registers, int stage, int row, int word) {
  if (!registers) return random_word<Type>(swizzled(first_at(0, stage), row, word));
  const int in_step = word % 8;
  const auto thread = static_cast<unsigned>(row / 16 * 32 + row % 8 * 4 + in_step % 4);
  return random_word<Type>(register_index(thread, word / 8, (row % 16 >= 8 ? 1 : 0) + 2 * (in_step / 4)));
}

// The total of thread 0's sums: rows 0 and 8, and the first two of every eight columns.
template <class Type>
double sum_of_thread_0(bool registers) {
  double sum = 0;
  for (int stage = 0; stage < stages; ++stage)
    for (const int row : {0, 8})
      for (int column = 0; column < columns; column += column % 8 == 0 ? 1 : 7)
        for (int word = 0; word < 32; ++word)
          for (int i = 0; i < Type::depth / 8; ++i)
            sum += decoded(Type{}, first_word<Type>(registers, stage, row, word), i) *
                   decoded(Type{}, random_word<Type>(swizzled(second_at(stage), column, word)), i);
  return sum;
}

class warpgroups_on_gpu : public on_gpu {
 protected:
  void SetUp() override {
    on_gpu::SetUp();
    if (!IsSkipped() && major_ != 9) GTEST_SKIP() << "wgmma is of compute capability 9.0";
  }
  template <class Type>
  static void expect_products(operand type, double within) {
    const gpu::device_memory results(threads * sizeof(float));
    for (const auto& shape : warpgroup_shapes) {
      const double done =
          multiply_by_warpgroups(type, {.results = results.as<float>(), .processors = 1, .rounds = 1}, shape);
      EXPECT_EQ(done, 2.0 * 2 * 64 * 256 * 16 * Type::depth);
      EXPECT_NEAR(read<float>(results.as<float>(), 1).front(), sum_of_thread_0<Type>(shape.from_registers),
                  within)
          << name(type) << ' ' << shape.name;
    }
  }
};

TEST_F(warpgroups_on_gpu, multiply_what_lies_in_shared_memory_and_in_registers) {
  expect_products<bf16_operand>(operand::bf16, 0.1);
  expect_products<fp16_operand>(operand::fp16, 0.1);
  expect_products<tf32_operand>(operand::tf32, 0.1);
  expect_products<fp8_operand>(operand::fp8, 2);  // summed with 13 bits of mantissa
  expect_products<int8_operand>(operand::int8, 1);
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
