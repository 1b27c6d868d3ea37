// SPDX-License-Identifier: Apache-2.0
#include "storage/file_probe.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <gtest/gtest.h>

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>

#include "storage/request_stream.hpp"
#include "storage/storage_place.hpp"
#include "tests/small_request.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr storage_plan tiny{8 * mib, 0.05, 0.01, true};

// A folder of its own on storage, beside the test program.
class file_probe : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::read_symlink("/proc/self/exe").parent_path() /
              ("file_probe." + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  steady watch{};

 private:
  std::filesystem::path folder_{};
};

bool none_says(const std::vector<model::ceiling>& rows, std::string_view word) {
  return std::ranges::none_of(rows,
                              [&](const auto& row) { return row.variant.find(word) != row.variant.npos; });
}

TEST_F(file_probe, measures_every_way_and_leaves_nothing) {
  const nothing_left behind;
  const auto rows = probe_file(folder(), watch, tiny);
  EXPECT_GE(rows.size(), 10u);
  for (const auto& row : rows) {
    EXPECT_GT(row.value, 0) << row.id;
    EXPECT_TRUE(row.ci.contains(row.value)) << row.id;
    EXPECT_FALSE(row.variant.empty()) << row.id;
  }
  EXPECT_TRUE(behind.holds());
  EXPECT_EQ(entries_of(folder()), 0u);
}

TEST_F(file_probe, forbidden_io_uring_gives_way_to_threads_and_says_so) {
  storage_ways ways;
  ways.ring = [](int, std::string& why_not) {
    why_not = "io_uring: Operation not permitted";
    return std::unique_ptr<block_engine>{};
  };
  const nothing_left behind;
  const auto rows = probe_file(folder(), watch, tiny, ways);
  EXPECT_TRUE(none_says(rows, "io_uring"));
  EXPECT_NE(rows.front().variant.find("threads"), std::string::npos);
  EXPECT_NE(rows.front().note.find("not permitted"), std::string::npos);
  EXPECT_TRUE(behind.holds());
}

TEST_F(file_probe, a_file_system_without_direct_io_or_nameless_files_is_measured_through_the_cache) {
  storage_ways ways;
  ways.open = [](const std::filesystem::path& path, int flags) {
    errno = EINVAL;
    const bool refused = (flags & O_DIRECT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    return refused ? std::nullopt : host::open_file::try_open(path, flags);
  };
  const auto rows = probe_file(folder(), watch, tiny, ways);
  EXPECT_TRUE(none_says(rows, "O_DIRECT"));
  EXPECT_NE(rows.front().variant.find("buffered"), std::string::npos);
  EXPECT_NE(rows.front().note.find("refuses O_DIRECT"), std::string::npos);
  EXPECT_EQ(entries_of(folder()), 0u);
}

TEST_F(file_probe, the_file_has_no_name_while_it_is_used) {
  const nameless_file file(folder(), 8 * mib, {});
  EXPECT_EQ(entries_of(folder()), 0u);
  EXPECT_EQ(file.room(), 8 * mib);
}

TEST_F(file_probe, a_folder_that_is_not_there_is_a_failure_of_the_file) {
  EXPECT_THROW((void)probe_file(folder() / "none", watch, tiny), io_failure);
}

TEST_F(file_probe, other_bytes_than_were_written_are_found) {
  const nameless_file file(folder(), 8 * mib, {});
  ASSERT_EQ(fill(make_thread_engine(fill_depth), file.buffered(), file.room(), watch, 10), 8 * mib);
  constexpr pattern whole{.bytes = mib, .depth = 2};
  const auto once_through = [](std::size_t done, double) { return done == 8; };
  request_stream good(make_thread_engine(2), file.buffered(), 8 * mib, whole);
  EXPECT_NO_THROW(good.run(watch, once_through));
  ASSERT_EQ(pwrite(file.buffered(), "other", 5, 5 * mib), 5);
  request_stream bad(make_thread_engine(2), file.buffered(), 8 * mib, whole);
  EXPECT_THROW(bad.run(watch, once_through), failure);
}

TEST_F(file_probe, a_request_cut_short_is_a_failure) {
  const nameless_file file(folder(), 8 * mib, {});
  ASSERT_EQ(ftruncate(file.buffered(), 3 * mib + 4096), 0);
  request_stream stream(make_thread_engine(2), file.buffered(), 8 * mib, {.bytes = mib, .depth = 2});
  EXPECT_THROW(stream.run(watch, [](std::size_t done, double) { return done == 8; }), failure);
}

TEST(rates_of, storage_too_slow_for_windows_has_one_rate) {
  const steady clock;
  const nameless_file file(std::filesystem::temp_directory_path(), 8 * mib, {});
  (void)fill(make_thread_engine(fill_depth), file.buffered(), file.room(), clock, 10);
  constexpr pattern one{.bytes = mib, .depth = 1};
  request_stream stream(make_thread_engine(1), file.buffered(), 8 * mib, one);
  EXPECT_EQ(rates_of(stream, one, clock, 0).size(), 1u);
}

// A small disk of its own, where this process may mount one.
class small_disk : public file_probe {
 protected:
  void SetUp() override {
    file_probe::SetUp();
    mounted_ = mount("tmpfs", folder().c_str(), "tmpfs", 0, "size=40m") == 0;
    if (!mounted_) GTEST_SKIP() << "cannot mount a tmpfs here: " << std::strerror(errno);
  }
  void TearDown() override {
    if (mounted_) umount2(folder().c_str(), MNT_DETACH);
    file_probe::TearDown();
  }
  std::uintmax_t taken() const {
    const auto space = std::filesystem::space(folder());
    return space.capacity - space.free;
  }
  void leave_free(std::size_t bytes) const {
    const host::open_file ballast(folder() / "ballast", O_RDWR | O_CREAT);
    ASSERT_EQ(fallocate(ballast.descriptor(), 0, 0, static_cast<off_t>(40 * mib - bytes)), 0);
  }

 private:
  bool mounted_ = false;
};

TEST_F(small_disk, only_a_quarter_of_what_is_free_is_used_and_memory_is_named) {
  const auto rows = probe_file(folder(), watch, {1024 * mib, 0.05, 0.01, true});
  EXPECT_LE(rows.front().size_bytes, 10.0 * mib);
  EXPECT_NE(rows.front().note.find("in memory"), std::string::npos);
  EXPECT_EQ(taken(), 0u);
}

TEST_F(small_disk, a_full_one_is_skipped_with_the_reason_and_keeps_nothing) {
  leave_free(2 * mib);
  const nothing_left behind;
  try {
    (void)probe_file(folder(), watch, tiny);
    FAIL() << "measured";
  } catch (const unavailable& e) {
    EXPECT_NE(e.why().message.find("free space"), std::string::npos) << e.why().message;
  }
  EXPECT_TRUE(behind.holds());
  EXPECT_EQ(entries_of(folder()), 1u);
  EXPECT_EQ(taken(), 38 * mib);
}

TEST(storage_place, is_parsed) {
  constexpr auto* mounts =
      "22 28 0:20 / /proc rw,nosuid shared:12 - proc proc rw\n"
      "28 1 259:2 / / rw,relatime shared:1 master:2 - ext4 /dev/nvme0n1p2 rw\n"
      "40 28 0:35 / /tmp rw - tmpfs tmpfs rw,size=1024k\n";
  EXPECT_EQ(parse_file_system(mounts, "259:2"), "ext4");
  EXPECT_EQ(parse_file_system(mounts, "0:35"), "tmpfs");
  EXPECT_EQ(parse_file_system(mounts, "8:1"), "");
  EXPECT_EQ(parse_scheduler("mq-deadline kyber [none] bfq\n"), "none");
  EXPECT_EQ(parse_scheduler("none\n"), "");
  EXPECT_EQ((storage_place{"ext4", "vda", "none"}.words()), "ext4 on vda, scheduler none");
  EXPECT_EQ((storage_place{"ext4", "vda", "none"}.warning()), "");
  EXPECT_NE((storage_place{"overlay", "", ""}.warning()), "");
}

}  // namespace
}  // namespace ridge::backends::probe_host
