// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/launch.hpp>

#include <gtest/gtest.h>

namespace ridge::gpu {
namespace {

TEST(blocks_for, rounds_up) {
  EXPECT_EQ(blocks_for(0, 256), 0U);
  EXPECT_EQ(blocks_for(1, 256), 1U);
  EXPECT_EQ(blocks_for(256, 256), 1U);
  EXPECT_EQ(blocks_for(257, 256), 2U);
}

}  // namespace
}  // namespace ridge::gpu
