// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/pages.hpp>

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::host {
namespace {

std::size_t address(const region& r) { return std::bit_cast<std::size_t>(r.bytes().data()); }

TEST(region, is_zeroed_aligned_and_as_long_as_asked) {
  for (const std::size_t alignment : {1ul, 64ul, 4096ul, 65536ul, huge_page_bytes}) {
    const region r(100'001, alignment);
    EXPECT_EQ(address(r) % alignment, 0u);
    EXPECT_EQ(r.bytes().size(), 100'001u);
    EXPECT_TRUE(std::ranges::all_of(r.bytes(), [](std::byte b) { return b == std::byte{0}; }));
    EXPECT_EQ(r.as<float>().size(), 25'000u);
    std::ranges::fill(r.bytes(), std::byte{7});
  }
}

TEST(region, may_be_empty_and_moves_its_memory) {
  EXPECT_TRUE(region(0).bytes().empty());
  region a(10);
  a.bytes()[3] = std::byte{9};
  const region b = std::move(a);
  EXPECT_EQ(b.bytes()[3], std::byte{9});
}

TEST(region, transparent_huge_pages_start_on_a_huge_page) {
  const region r(3 * huge_page_bytes, 64, huge_pages::transparent);
  EXPECT_EQ(address(r) % huge_page_bytes, 0u);
  const region plain(3 * huge_page_bytes);
  EXPECT_EQ(huge_bytes_of(plain.bytes()), 0u);
}

TEST(region, too_little_memory_is_a_failure_and_no_reason_to_skip) {
  try {
    const region too_large(std::size_t{1} << 50);
    FAIL() << "was allocated";
  } catch (const failure& thrown) {
    EXPECT_EQ(dynamic_cast<const unavailable*>(&thrown), nullptr) << thrown.what();
  }
  EXPECT_THROW(region(10, 48), precondition_violated);
}

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

std::vector<std::byte> counted(std::size_t size, int first) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(first + static_cast<int>(i % 251));
  return bytes;
}

TEST(renew_pages, keeps_what_the_pages_hold_beside_the_areas_too) {
  const region one(10 * page_bytes()), other(3 * page_bytes() + 17);
  const auto in_one = counted(one.bytes().size(), 3), in_other = counted(other.bytes().size(), 7);
  std::ranges::copy(in_one, one.bytes().begin());
  std::ranges::copy(in_other, other.bytes().begin());
  // The first area begins and ends within a page whose other bytes are somebody else's.
  const std::vector<std::span<std::byte>> areas{
      one.bytes().subspan(100, 4 * page_bytes()), other.bytes(), {}};
  std::vector<std::byte> room;
  splitmix_generator random(1);
  const long before = page_faults();
  for (int time = 0; time < 3; ++time) renew_pages(areas, room, random);
  EXPECT_GE(page_faults() - before, 3 * (5 + 4)) << "a page that is renewed is faulted in";
  EXPECT_TRUE(std::ranges::equal(one.bytes(), in_one));
  EXPECT_TRUE(std::ranges::equal(other.bytes(), in_other));
}

TEST(renew_pages, locked_memory_keeps_its_pages) {
  const region locked(page_bytes());
  if (mlock(locked.bytes().data(), page_bytes()) != 0) GTEST_SKIP() << "this process may not lock memory";
  const auto held = counted(page_bytes(), 1);
  std::ranges::copy(held, locked.bytes().begin());
  std::vector<std::byte> room;
  splitmix_generator random(1);
  const std::vector areas{locked.bytes()};
  renew_pages(areas, room, random);
  EXPECT_TRUE(std::ranges::equal(locked.bytes(), held));
}

TEST(smaps, huge_pages_of_the_wanted_addresses_are_added_up) {
  const std::string_view text =
      "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \nSize: 4096 kB\nAnonHugePages:    2048 kB\n"
      "7f0000400000-7f0000800000 rw-p 00000000 00:00 0 \nAnonHugePages:    4096 kB\n"
      "7f0000900000-7f0000a00000 rw-p 00000000 00:00 0 \nAnonHugePages:    1024 kB\n";
  EXPECT_EQ(parse_huge_bytes(text, 0x7f0000100000, 0x7f0000600000), 6144u << 10);
  EXPECT_EQ(parse_huge_bytes(text, 0x7f0000800000, 0x7f0000900000), 0u);
  EXPECT_EQ(parse_huge_bytes("AnonHugePages: 5 kB\nrubbish\n-\n", 0, 10), 0u);
}

class guarded : public testing::TestWithParam<std::size_t> {};

TEST_P(guarded, payload_ends_at_a_page_and_its_neighbourhood_is_watched) {
  const guarded_region g(GetParam(), 4);
  const auto all = g.bytes();
  ASSERT_EQ(all.size(), GetParam());
  std::ranges::fill(all, std::byte{0});
  EXPECT_FALSE(g.damage());
  const auto end = std::bit_cast<std::size_t>(all.data() + all.size());
  EXPECT_LT((page_bytes() - end % page_bytes()) % page_bytes(), 4u);
  all.data()[-1] = std::byte{0};
  EXPECT_EQ(g.damage(), std::optional<std::ptrdiff_t>(-1));
}

INSTANTIATE_TEST_SUITE_P(sizes, guarded,
                         testing::Values(0u, 1u, 4u, 63u, 4092u, 4096u, 4097u, 8192u, 100'000u));

TEST(guarded, a_gap_behind_the_payload_is_watched_too) {
  const guarded_region g(61, 64);
  EXPECT_EQ(std::bit_cast<std::size_t>(g.bytes().data()) % 64, 0u);
  g.bytes().data()[62] = std::byte{0};
  EXPECT_EQ(g.damage(), std::optional<std::ptrdiff_t>(62));
}

using guarded_death = testing::Test;

TEST(guarded_death, the_byte_past_the_end_faults) {
  const guarded_region g(1000, 8);
  auto* const past = static_cast<volatile std::byte*>(g.bytes().data() + 1000);
  EXPECT_DEATH(*past = std::byte{1}, "");
  EXPECT_DEATH(static_cast<void>(*past), "");
}

TEST(guarded_death, the_page_before_the_pattern_faults) {
  const guarded_region g(1000, 8);
  auto* const before = static_cast<volatile std::byte*>(g.bytes().data() - page_bytes());
  EXPECT_DEATH(*before = std::byte{1}, "");
}

}  // namespace
}  // namespace ridge::host
