// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/guard_layout.hpp>

#include <gtest/gtest.h>

namespace ridge::device {
namespace {

TEST(guard_layout, zones_fit_the_room_wherever_the_memory_starts) {
  for (const std::uintptr_t start : {0x1000u, 0x1001u, 0x1080u, 0x10FFu}) {
    for (const std::size_t bytes : {0u, 1u, 100000u}) {
      const guard_layout at = between_zones(start, bytes, 256, 64);
      EXPECT_EQ((start + at.payload) % 256, 64u);
      EXPECT_EQ(at.payload - at.before, zone_bytes);
      EXPECT_EQ(at.after - at.payload, bytes);
      EXPECT_EQ(at.end - at.after, zone_bytes);
      EXPECT_LE(at.end, bytes_with_zones(bytes, 256, 64));
    }
  }
}

TEST(guard_layout, between_pages_the_payload_ends_at_the_second_page) {
  constexpr std::size_t page = std::size_t{2} << 20;
  const guard_layout at = between_pages(page + 8, 8, page);
  EXPECT_EQ(at.end, 3 * page);
  EXPECT_EQ(at.after, at.end);
  EXPECT_EQ(at.payload, 2 * page - 8);
  EXPECT_EQ(at.payload - at.before, zone_bytes);
}

TEST(guard_layout, between_pages_a_ragged_size_leaves_less_than_an_element_behind) {
  const guard_layout at = between_pages(4095, 8, 4096);
  EXPECT_EQ(at.end - at.after, 1u);
  EXPECT_EQ(at.payload, 4096u);
  EXPECT_EQ(at.before, at.payload) << "the whole page is taken: no room for a front zone";
}

TEST(guard_layout, between_pages_nothing_needs_no_page) {
  const guard_layout at = between_pages(0, 16, 4096);
  EXPECT_EQ(at.end, 4096u);
  EXPECT_EQ(at.before, at.end);
}

}  // namespace
}  // namespace ridge::device
