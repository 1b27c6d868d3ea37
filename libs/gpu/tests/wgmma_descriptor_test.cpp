// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/wgmma_descriptor.hpp>

#include <set>

#include <gtest/gtest.h>

namespace ridge::gpu {
namespace {

// The fields of PTX ISA, "Matrix Descriptor Format": start address in bits 0 to 13, leading byte offset in 16
// to 29, stride byte offset in 32 to 45, all in units of 16 bytes; swizzling mode in 62 and 63.
TEST(wgmma_descriptor, puts_each_field_into_its_bits) {
  EXPECT_EQ(wgmma_descriptor(16, 0, 0, wgmma_swizzle::none), std::uint64_t{1});
  EXPECT_EQ(wgmma_descriptor(0, 16, 0, wgmma_swizzle::none), std::uint64_t{1} << 16);
  EXPECT_EQ(wgmma_descriptor(0, 0, 16, wgmma_swizzle::none), std::uint64_t{1} << 32);
  EXPECT_EQ(wgmma_descriptor(0, 0, 0, wgmma_swizzle::bytes_128), std::uint64_t{1} << 62);
  EXPECT_EQ(wgmma_descriptor(0, 0, 0, wgmma_swizzle::bytes_64), std::uint64_t{2} << 62);
  EXPECT_EQ(wgmma_descriptor(0, 0, 0, wgmma_swizzle::bytes_32), std::uint64_t{3} << 62);
}

TEST(wgmma_descriptor, fields_do_not_run_into_each_other) {
  constexpr std::uint32_t most = 0x3FFF0;
  EXPECT_EQ(wgmma_descriptor(most, 0, 0, wgmma_swizzle::none), std::uint64_t{0x3FFF});
  EXPECT_EQ(wgmma_descriptor(0, most, 0, wgmma_swizzle::none), std::uint64_t{0x3FFF} << 16);
  EXPECT_EQ(wgmma_descriptor(0, 0, most, wgmma_swizzle::none), std::uint64_t{0x3FFF} << 32);
}

TEST(wgmma_descriptor, of_rows_of_128_bytes_has_groups_of_eight_rows_1024_bytes_apart) {
  EXPECT_EQ(wgmma_descriptor_128b_rows(0), 0x4000'0040'0001'0000U);
  EXPECT_EQ(wgmma_descriptor_128b_rows(0x8020), 0x4000'0040'0001'0802U);
}

TEST(swizzled_128b_offset, puts_every_part_of_eight_rows_in_a_place_of_its_own) {
  std::set<std::uint32_t> places;
  for (std::uint32_t row = 0; row < 8; ++row) {
    std::set<std::uint32_t> banks;
    for (std::uint32_t part = 0; part < 8; ++part) {
      const auto offset = swizzled_128b_offset(row, part);
      EXPECT_EQ(offset / 128, row);
      places.insert(offset);
      banks.insert(swizzled_128b_offset(part, row) % 128);
    }
    EXPECT_EQ(banks.size(), 8U) << "one part of eight rows lies in different banks";
  }
  EXPECT_EQ(places.size(), 64U);
}

}  // namespace
}  // namespace ridge::gpu
