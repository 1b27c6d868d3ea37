// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/host_array.hpp>

#include <gtest/gtest.h>

#include <cstdint>

#include <ridge/base/error.hpp>

namespace ridge::device {
namespace {

TEST(host_array, pages_end_the_payload_at_the_unmapped_one) {
  for (const std::size_t bytes : {0u, 4u, 4096u, 5000u}) {
    const auto made = allocate_on_host({.bytes = bytes, .alignment = 4, .guard = guard::pages});
    volatile std::byte* end = made->bytes().data() + bytes;
    EXPECT_DEATH(*end = std::byte{1}, "") << bytes;
  }
}

TEST(host_array, pages_guard_the_start_of_whole_pages) {
  const auto made = allocate_on_host({.bytes = 8192, .alignment = 4, .guard = guard::pages});
  volatile const std::byte* before = made->bytes().data() - 1;
  EXPECT_DEATH((void)*before, "");
}

TEST(host_array, the_slack_within_guard_pages_is_patterned) {
  const auto made = allocate_on_host({.bytes = 13, .alignment = 8, .guard = guard::pages});
  const auto payload = made->bytes();
  EXPECT_EQ(made->damage(), "");
  payload.data()[13] = std::byte{0};
  payload.data()[-2] = std::byte{0};
  EXPECT_EQ(made->damage(), "1 bytes before the start, last at -2; 1 bytes after the end, first at +0");
}

TEST(host_array, huge_pages_start_at_two_mebibytes) {
  const auto made = allocate_on_host({.bytes = 5 << 20, .placement = placement::huge_pages});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made->bytes().data()) % (2 << 20), 0u);
}

std::uintptr_t offset_in_page(const array& made) {
  return reinterpret_cast<std::uintptr_t>(made.bytes().data()) % 4096;
}

TEST(host_array, starts_where_its_place_says) {
  const auto first = allocate_on_host({.bytes = 16384, .place = 3});
  const auto second = allocate_on_host({.bytes = 300, .place = 3});
  const auto elsewhere = allocate_on_host({.bytes = 16384, .place = 4});
  EXPECT_EQ(offset_in_page(*first), offset_in_page(*second));
  EXPECT_NE(offset_in_page(*first), offset_in_page(*elsewhere));
}

TEST(host_array, refuses_what_cannot_be) {
  EXPECT_THROW((void)allocate_on_host({.bytes = 8, .alignment = 3}), precondition_violated);
  EXPECT_THROW((void)allocate_on_host({.bytes = 8, .alignment = 8192}), precondition_violated);
  EXPECT_THROW((void)allocate_on_host({.bytes = std::size_t{1} << 60}), failure);
}

}  // namespace
}  // namespace ridge::device
