// SPDX-License-Identifier: Apache-2.0
#include "slices.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace ridge::backends::device_cuda {
namespace {

TEST(slices, cover_every_part_once_in_order) {
  for (const std::uint64_t count : {0ull, 1ull, 5ull, 16385ull, 100000ull, 100000007ull}) {
    for (const std::uint64_t blocks : {1ull, 3ull, 64ull}) {
      const slices cut(count, blocks);
      for (std::uint64_t b = 0; b < blocks; ++b) {
        EXPECT_EQ(cut.begin(b, 0), std::min(b * cut.part, count));
        EXPECT_EQ(cut.end(b, cut.per_part - 1), std::min((b + 1) * cut.part, count))
            << count << " " << blocks;
        for (std::uint64_t s = 0; s < cut.per_part; ++s) EXPECT_LE(cut.begin(b, s), cut.end(b, s));
      }
    }
  }
}

TEST(slices, a_large_part_keeps_many_thread_blocks_busy_and_a_small_one_is_not_cut) {
  EXPECT_EQ(slices(std::uint64_t{1} << 32, 1).per_part, slices::most_per_part);
  EXPECT_EQ(slices(slices::least, 1).per_part, 1u);
}

}  // namespace
}  // namespace ridge::backends::device_cuda
