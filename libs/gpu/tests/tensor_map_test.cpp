// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/tensor_map.hpp>

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::gpu {
namespace {

// A 1000 x 512 matrix of floats in tiles of 64 x 32 with rows of 128 swizzled bytes.
matrix_boxes tiles() {
  return {.data = reinterpret_cast<const void*>(0x1000),
          .type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
          .rows = 1000,
          .columns = 512,
          .row_bytes = 2048,
          .box_rows = 64,
          .box_columns = 32,
          .swizzle = CU_TENSOR_MAP_SWIZZLE_128B};
}

// The message for these tiles after `change`; empty where they are right.
std::string finding(const std::function<void(matrix_boxes&)>& change) {
  auto boxes = tiles();
  change(boxes);
  const auto checked = check_boxes(boxes);
  return checked ? "" : checked.why().message;
}

TEST(check_boxes, takes_tiles_that_the_driver_takes) {
  EXPECT_EQ(finding([](matrix_boxes&) {}), "");
  EXPECT_EQ(finding([](matrix_boxes& b) { b.columns = 509; }), "") << "rows may be longer than their data";
  EXPECT_EQ(finding([](matrix_boxes& b) {
              b.swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
              b.box_columns = 256;
            }),
            "");
}

TEST(check_boxes, names_the_rule_that_is_broken) {
  using boxes = matrix_boxes&;
  EXPECT_NE(finding([](boxes b) { b.data = reinterpret_cast<void*>(0x1008); }).find("begins"),
            std::string::npos);
  EXPECT_NE(finding([](boxes b) { b.rows = 0; }).find("empty"), std::string::npos);
  EXPECT_NE(finding([](boxes b) { b.rows = (std::size_t{1} << 32) + 1; }).find("2^32"), std::string::npos);
  EXPECT_NE(finding([](boxes b) { b.row_bytes = 2052; }).find("rows lie"), std::string::npos);
  EXPECT_NE(finding([](boxes b) { b.row_bytes = std::size_t{1} << 40; }).find("2^40"), std::string::npos);
  EXPECT_NE(finding([](boxes b) { b.columns = 513; }).find("overlap"), std::string::npos);
  EXPECT_NE(finding([](boxes b) { b.box_rows = 0; }).find("box is empty"), std::string::npos);
  EXPECT_NE(finding([](boxes b) { b.box_rows = 257; }).find("256"), std::string::npos);
  EXPECT_NE(finding([](boxes b) { b.box_columns = 30; }).find("row of the box"), std::string::npos);
  EXPECT_NE(finding([](boxes b) { b.box_columns = 64; }).find("swizzle"), std::string::npos);
  EXPECT_NE(
      finding([](boxes b) { b.type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, b.box_columns = 68; }).find("row of"),
      std::string::npos);
}

TEST(make_tensor_map, is_made_by_a_driver_or_says_why_not) {
  try {
    (void)make_tensor_map(tiles());
  } catch (const failure& e) {
    EXPECT_FALSE(e.why().message.empty());
    EXPECT_FALSE(e.why().remedy.empty());
  }
}

}  // namespace
}  // namespace ridge::gpu
