// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/resident_memory.hpp>

#include <gtest/gtest.h>

#include <ridge/host/pages.hpp>

namespace ridge::host {
namespace {

constexpr std::size_t mebibyte = 1 << 20;

TEST(resident_memory, status_text_gives_both_figures_or_nothing) {
  const auto got = parse_resident_memory("Name:\tridge\nVmHWM:\t    2048 kB\nVmRSS:\t 1024 kB\n");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->now_bytes, mebibyte);
  EXPECT_EQ(got->peak_bytes, 2 * mebibyte);
  EXPECT_FALSE(parse_resident_memory("VmRSS: 1 kB\n"));
  EXPECT_FALSE(parse_resident_memory("VmRSS: many\nVmHWM: 1 kB\n"));
  EXPECT_FALSE(parse_resident_memory(""));
}

TEST(resident_memory, touched_pages_count_and_untouched_do_not) {
  const auto before = read_resident_memory().now_bytes;
  const region untouched(64 * mebibyte, 64, huge_pages::no, first_touch::later);
  EXPECT_LT(read_resident_memory().now_bytes, before + 16 * mebibyte);
  const region touched(64 * mebibyte);
  EXPECT_GT(read_resident_memory().now_bytes, before + 60 * mebibyte);
}

TEST(resident_memory, the_peak_outlives_its_memory_until_it_is_reset) {
  { const region gone(64 * mebibyte); }
  const auto high = read_resident_memory();
  EXPECT_GT(high.peak_bytes, high.now_bytes + 32 * mebibyte);
  if (!reset_peak_resident()) GTEST_SKIP() << "/proc/self/clear_refs is not writable";
  const auto low = read_resident_memory();
  EXPECT_LT(low.peak_bytes, low.now_bytes + 8 * mebibyte);
}

}  // namespace
}  // namespace ridge::host
