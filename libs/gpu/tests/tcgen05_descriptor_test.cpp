// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/tcgen05_descriptor.hpp>

#include <gtest/gtest.h>

#include <ridge/gpu/wgmma_descriptor.hpp>

namespace ridge::gpu {
namespace {

// The fields of PTX ISA, "Shared memory descriptor": start address in bits 0 to 13, leading dimension byte
// offset in 16 to 29, stride dimension byte offset in 32 to 45, all in units of 16 bytes; 0b001 in 46 to 48;
// base offset in 49 to 51, stride mode in 52, zeros in 53 to 60; swizzling mode in 61 to 63.
constexpr std::uint64_t always = std::uint64_t{1} << 46;

TEST(tcgen05_descriptor, puts_each_field_into_its_bits) {
  EXPECT_EQ(tcgen05_descriptor(0, 0, 0, tcgen05_swizzle::none), always);
  EXPECT_EQ(tcgen05_descriptor(16, 0, 0, tcgen05_swizzle::none), always + 1);
  EXPECT_EQ(tcgen05_descriptor(0, 16, 0, tcgen05_swizzle::none), always + (std::uint64_t{1} << 16));
  EXPECT_EQ(tcgen05_descriptor(0, 0, 16, tcgen05_swizzle::none), always + (std::uint64_t{1} << 32));
}

// Modes 0, 1, 2, 4 and 6 of the format's table: no swizzle, 128 bytes with atoms of 32, 128, 64 and 32 bytes.
TEST(tcgen05_descriptor, has_the_swizzle_in_its_three_highest_bits) {
  EXPECT_EQ(tcgen05_descriptor(0, 0, 0, tcgen05_swizzle::bytes_128_by_32) >> 61, 1U);
  EXPECT_EQ(tcgen05_descriptor(0, 0, 0, tcgen05_swizzle::bytes_128) >> 61, 2U);
  EXPECT_EQ(tcgen05_descriptor(0, 0, 0, tcgen05_swizzle::bytes_64) >> 61, 4U);
  EXPECT_EQ(tcgen05_descriptor(0, 0, 0, tcgen05_swizzle::bytes_32) >> 61, 6U);
}

TEST(tcgen05_descriptor, fields_do_not_run_into_each_other) {
  constexpr std::uint32_t most = 0x3FFF0;
  EXPECT_EQ(tcgen05_descriptor(most, 0, 0, tcgen05_swizzle::none), always + 0x3FFF);
  EXPECT_EQ(tcgen05_descriptor(0, most, 0, tcgen05_swizzle::none), always + (std::uint64_t{0x3FFF} << 16));
  EXPECT_EQ(tcgen05_descriptor(0, 0, most, tcgen05_swizzle::none), always + (std::uint64_t{0x3FFF} << 32));
}

// Written out: mode 2 in the highest hexadecimal digit, bit 46, 1024 / 16 = 0x40, 1, the address / 16.
TEST(tcgen05_descriptor, of_rows_of_128_bytes_has_groups_of_eight_rows_1024_bytes_apart) {
  EXPECT_EQ(tcgen05_descriptor_128b_rows(0), 0x4000'4040'0001'0000U);
  EXPECT_EQ(tcgen05_descriptor_128b_rows(0x8020), 0x4000'4040'0001'0802U);
}

// Where the format puts 16 bytes of a row, read off the descriptor: rows of a group of eight are 128 bytes
// apart, groups as far as bits 32 to 45 say, and then bits 4 to 6 of the address are combined with 7 to 9.
std::uint32_t described_place(std::uint64_t descriptor, std::uint32_t row, std::uint32_t part) {
  const auto begin = static_cast<std::uint32_t>(descriptor & 0x3FFF) * 16;
  const auto group = static_cast<std::uint32_t>(descriptor >> 32 & 0x3FFF) * 16;
  const std::uint32_t plain = begin + row / 8 * group + row % 8 * 128 + part * 16;
  return plain ^ (plain >> 7 & 7U) << 4;
}

// A product takes 32 bytes of each row: four of them begin 32 bytes after one another.
TEST(tcgen05_descriptor, of_each_step_finds_the_parts_where_a_tensor_map_puts_them) {
  for (const std::uint32_t begin : {0U, 0x8000U, 0x2C400U})
    for (std::uint32_t step = 0; step < 4; ++step)
      for (std::uint32_t row = 0; row < 256; ++row)
        for (std::uint32_t part = 0; part < 2; ++part)
          ASSERT_EQ(described_place(tcgen05_descriptor_128b_rows(begin + 32 * step), row, part),
                    begin + swizzled_128b_offset(row, 2 * step + part))
              << "step " << step << ", row " << row;
}

// "Instruction descriptor format for .kind::tf32, .kind::f16": the sum's type in bits 4 and 5, a's in 7 to 9,
// b's in 10 to 12, majorness of a and b in 15 and 16, N / 8 in 17 to 22, M / 16 in 24 to 28.
TEST(tcgen05_instruction, puts_each_field_into_its_bits) {
  const auto halves = [](std::uint32_t m, std::uint32_t n) {
    return tcgen05_product{
        .m = m, .n = n, .sum = tcgen05_sum::f16, .a = tcgen05_operand::f16, .b = tcgen05_operand::f16};
  };
  EXPECT_EQ(tcgen05_instruction(halves(0, 0)), 0U);
  EXPECT_EQ(tcgen05_instruction(halves(0, 8)), 1U << 17);
  EXPECT_EQ(tcgen05_instruction(halves(0, 256)), 32U << 17);
  EXPECT_EQ(tcgen05_instruction(halves(64, 0)), 4U << 24);
  EXPECT_EQ(tcgen05_instruction(halves(256, 0)), 16U << 24);
  auto p = halves(0, 0);
  p.sum = tcgen05_sum::f32;
  EXPECT_EQ(tcgen05_instruction(p), 1U << 4);
  p = halves(0, 0), p.a = tcgen05_operand::bf16;
  EXPECT_EQ(tcgen05_instruction(p), 1U << 7);
  p = halves(0, 0), p.b = tcgen05_operand::tf32;
  EXPECT_EQ(tcgen05_instruction(p), 2U << 10);
  p = halves(0, 0), p.a_order = tcgen05_order::by_rows;
  EXPECT_EQ(tcgen05_instruction(p), 1U << 15);
  p = halves(0, 0), p.b_order = tcgen05_order::by_rows;
  EXPECT_EQ(tcgen05_instruction(p), 1U << 16);
}

// 0b01000'0'100000'00'00'001'001'0'01'0000 and the same with M = 256, bit by bit from the table.
TEST(tcgen05_instruction, of_bf16_products_with_fp32_sums) {
  EXPECT_EQ(tcgen05_instruction({.m = 128, .n = 256}), 0b01000'0'100000'00'00'001'001'0'01'0000U);
  EXPECT_EQ(tcgen05_instruction({.m = 256, .n = 256}), 0b10000'0'100000'00'00'001'001'0'01'0000U);
  EXPECT_EQ(tcgen05_instruction({.m = 128, .n = 128}), 0x0820'0490U);
}

TEST(tcgen05_takes, the_shapes_of_the_table) {
  EXPECT_TRUE(tcgen05_takes(1, 64, 8) && tcgen05_takes(1, 128, 16) && tcgen05_takes(1, 128, 256));
  EXPECT_TRUE(tcgen05_takes(2, 128, 32) && tcgen05_takes(2, 256, 256));
  EXPECT_FALSE(tcgen05_takes(1, 128, 8)) << "a multiple of 16";
  EXPECT_FALSE(tcgen05_takes(1, 256, 256)) << "two blocks make 256 rows";
  EXPECT_FALSE(tcgen05_takes(2, 256, 16)) << "a multiple of 32";
  EXPECT_FALSE(tcgen05_takes(2, 64, 32));
  EXPECT_FALSE(tcgen05_takes(1, 128, 272));
  EXPECT_FALSE(tcgen05_takes(1, 128, 0));
  EXPECT_FALSE(tcgen05_takes(4, 256, 256));
}

TEST(tensor_memory, is_allocated_by_powers_of_two_from_32_on) {
  EXPECT_EQ(tensor_memory_columns(1), 32U);
  EXPECT_EQ(tensor_memory_columns(32), 32U);
  EXPECT_EQ(tensor_memory_columns(33), 64U);
  EXPECT_EQ(tensor_memory_columns(192), 256U);
  EXPECT_EQ(tensor_memory_columns(512), 512U);
}

// Lanes in the upper half of an address, columns in the lower.
TEST(tensor_memory, addresses_have_lanes_above_columns) {
  EXPECT_EQ(tensor_memory_address(0, 0, 5), 0x0000'0005U);
  EXPECT_EQ(tensor_memory_address(0, 96, 0), 0x0060'0000U);
  EXPECT_EQ(tensor_memory_address(0x0000'0100, 32, 64), 0x0020'0140U);
}

}  // namespace
}  // namespace ridge::gpu
