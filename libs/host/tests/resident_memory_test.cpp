// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/resident_memory.hpp>

#include <unistd.h>

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>

#include <ridge/host/child_process.hpp>
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

TEST(resident_memory, written_bytes_are_those_of_own_swapped_huge_and_shared_pages) {
  EXPECT_EQ(parse_written_bytes(
                "55a8-55b8 r-xp 00000000 00:1f 77 /bin/ridge\n"
                "Rss: 100 kB\nPrivate_Dirty: 64 kB\nAnonymous: 0 kB\n"
                "7f00-7f10 rw-p 00000000 00:00 0 \n"
                "Rss: 40 kB\nPrivate_Dirty: 6 kB\nPrivate_Clean: 4 kB\nAnonymous: 30 kB\nSwap: 16 kB\n"
                "Private_Hugetlb: 2048 kB\n"
                "7f20-7f30 rw-s 00000000 00:01 9 /tmp/a: file\n"
                "Rss: 8 kB\nAnonymous: 0 kB\n"),
            std::size_t{10 + 16 + 2048 + 8} << 10);
  EXPECT_FALSE(parse_written_bytes("Anonymous: 4 kB\n"));
}

TEST(resident_memory, written_pages_of_a_process_are_told_to_the_page) {
  if (sanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const auto before = read_memory_of(getpid());
  if (!before) GTEST_SKIP() << "/proc/self/smaps is missing";
  const region touched(4 * mebibyte);
  const auto after = read_memory_of(getpid());
  ASSERT_TRUE(after);
  EXPECT_GE(after->written_bytes, before->written_bytes + 4 * mebibyte);
  EXPECT_LT(after->written_bytes, before->written_bytes + 4 * mebibyte + 256 * 1024)
      << "reading writes some too";
  EXPECT_GE(peak_resident_bytes() + mebibyte, after->resident_bytes);
  EXPECT_FALSE(read_memory_of(-1));
}

TEST(resident_memory, a_child_that_writes_what_its_parent_had_takes_it) {
  if (sanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  if (!read_memory_of(getpid())) GTEST_SKIP() << "/proc/self/smaps is missing";
  const region had(4 * mebibyte);
  const auto done = run_forked(
      [&] {
        (void)read_memory_of(getpid());
        const auto before = read_memory_of(getpid()).value();
        std::ranges::fill(had.bytes(), std::byte{1});
        return std::to_string(read_memory_of(getpid()).value().written_bytes - before.written_bytes);
      },
      10);
  EXPECT_GE(std::stod(done.output), 4.0 * mebibyte);
  EXPECT_LT(std::stod(done.output), 4.25 * mebibyte);
}

}  // namespace
}  // namespace ridge::host
