// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/quads.hpp>

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::gpu {
namespace {

alignas(16) constexpr std::array<float, 64> memory{};

TEST(quads, visit_every_element_once) {
  for (std::size_t start = 0; start < 4; ++start) {
    for (std::size_t n = 0; n < 40; ++n) {
      const auto q = quads_of(n, {memory.data() + start, memory.data() + start + 4});
      std::vector<int> visits(n);
      for (std::size_t i = 0; i < 4 * q.count; ++i) ++visits.at(q.head + i);
      for (std::size_t i = 0; i < q.singles(); ++i) ++visits.at(q.single(i));
      EXPECT_EQ(visits, std::vector<int>(n, 1)) << n << " from " << start;
    }
  }
}

TEST(quads, begin_at_a_boundary) {
  for (std::size_t start = 0; start < 4; ++start) {
    const auto q = quads_of(19, {memory.data() + start});
    EXPECT_EQ((start + q.head) % 4, 0U);
    EXPECT_GE(q.count, 4U);
  }
}

TEST(quads, none_where_arrays_lie_differently) {
  EXPECT_EQ(quads_of(40, {memory.data(), memory.data() + 1}).count, 0U);
}

TEST(on_16_bytes, asks_for_all_addresses) {
  EXPECT_TRUE(on_16_bytes(memory.data()));
  EXPECT_TRUE(on_16_bytes(memory.data(), memory.data() + 4));
  EXPECT_FALSE(on_16_bytes(memory.data(), memory.data() + 2));
  EXPECT_FALSE(on_16_bytes(reinterpret_cast<const char*>(memory.data()) + 1));
}

}  // namespace
}  // namespace ridge::gpu
