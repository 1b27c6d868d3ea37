// SPDX-License-Identifier: Apache-2.0
#include "matrix_units/matrix_units.hpp"

#include <gtest/gtest.h>

namespace ridge::backends::probe_cuda {
namespace {

TEST(unit_for, asks_four_warps_together_at_9_0_alone) {
  for (const auto type : operands) {
    EXPECT_EQ(unit_for(type, 9, 0), matrix_unit::warpgroup) << name(type);
    EXPECT_EQ(unit_for(type, 12, 0), matrix_unit::warp) << name(type);
  }
  EXPECT_EQ(unit_for(operand::bf16, 8, 0), matrix_unit::warp);
}

TEST(unit_for, knows_no_fp8_before_8_9) {
  EXPECT_EQ(unit_for(operand::fp8, 8, 6), matrix_unit::none);
  EXPECT_EQ(unit_for(operand::fp8, 8, 9), matrix_unit::warp);
}

TEST(unit_for, claims_no_ceiling_where_another_instruction_holds_it) {
  EXPECT_EQ(unit_for(operand::bf16, 10, 0), matrix_unit::none);
  EXPECT_EQ(unit_for(operand::bf16, 11, 0), matrix_unit::none);
  EXPECT_EQ(unit_for(operand::bf16, 7, 5), matrix_unit::none);
}

TEST(operand_name, is_the_last_word_of_the_ceiling) {
  EXPECT_EQ(name(operand::bf16), "bf16");
  EXPECT_EQ(name(operand::fp8), "fp8");
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
