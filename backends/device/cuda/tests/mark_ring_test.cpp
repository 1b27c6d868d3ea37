// SPDX-License-Identifier: Apache-2.0
#include "mark_ring.hpp"

#include <gtest/gtest.h>

namespace ridge::backends::device_cuda {
namespace {

TEST(mark_ring, holds_the_last_marks_only) {
  mark_ring ring(3);
  EXPECT_FALSE(ring.holds(0)) << "not taken yet";
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(ring.take(), i);
  EXPECT_FALSE(ring.holds(1));
  EXPECT_TRUE(ring.holds(2));
  EXPECT_TRUE(ring.holds(4));
  EXPECT_FALSE(ring.holds(5));
}

TEST(mark_ring, marks_held_together_have_places_of_their_own) {
  mark_ring ring(3);
  for (int i = 0; i < 5; ++i) (void)ring.take();
  EXPECT_NE(ring.place(2), ring.place(3));
  EXPECT_NE(ring.place(3), ring.place(4));
  EXPECT_NE(ring.place(2), ring.place(4));
  EXPECT_LT(ring.place(4), 3u);
}

}  // namespace
}  // namespace ridge::backends::device_cuda
