// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/sample_blob.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace ridge::store {
namespace {

const model::series three{
    .value = {1.5, -0.0, 3e-9}, .block = {0, 4294967295u, 2}, .position = {0, 1, 255}, .marked = {1, 0, 1}};

TEST(sample_blob, reads_back_every_column) {
  model::series back;
  ASSERT_TRUE(decode(encode(three), back).ok());
  EXPECT_EQ(back.value, three.value);
  EXPECT_TRUE(std::signbit(back.value[1]));
  EXPECT_EQ(back.block, three.block);
  EXPECT_EQ(back.position, three.position);
  EXPECT_EQ(back.marked, three.marked);
}

TEST(sample_blob, columns_that_are_absent_stay_absent) {
  model::series back{.marked = {1}};
  ASSERT_TRUE(decode(encode({.value = {1, 2}, .block = {7, 8}}), back).ok());
  EXPECT_EQ(back.block.size(), 2u);
  EXPECT_TRUE(back.position.empty() && back.marked.empty());
  EXPECT_EQ(encode({}).size(), 8u);
}

TEST(sample_blob, refuses_bytes_of_any_other_length_and_other_versions) {
  auto bytes = encode(three);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    model::series back;
    EXPECT_FALSE(decode(std::span(bytes).first(n), back).ok()) << n;
  }
  bytes.push_back({});
  model::series back;
  EXPECT_FALSE(decode(bytes, back).ok());
  bytes.pop_back();
  bytes[0] = std::byte{2};
  EXPECT_NE(decode(bytes, back).why().message.find("newer"), std::string::npos);
}

TEST(sample_blob, a_count_beyond_the_bytes_is_refused_without_taking_memory) {
  auto bytes = encode(three);
  for (std::size_t i = 4; i < 8; ++i) bytes[i] = std::byte{0xff};
  model::series back;
  EXPECT_FALSE(decode(bytes, back).ok());
  EXPECT_EQ(back.value.capacity(), 0u);
}

TEST(sample_blob, columns_of_unequal_length_are_a_bug) {
  EXPECT_THROW((void)encode({.value = {1, 2}, .block = {1}}), precondition_violated);
}

}  // namespace
}  // namespace ridge::store
