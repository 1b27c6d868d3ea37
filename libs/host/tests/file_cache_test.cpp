// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/file_cache.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/host/open_file.hpp>

namespace ridge::host {
namespace {

// Beside the test program, because /tmp may be a tmpfs, whose pages cannot be dropped.
class file_cache : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(path_) << std::string(1 << 20, 'r'); }
  void TearDown() override { std::filesystem::remove(path_); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_ = std::filesystem::read_symlink("/proc/self/exe").parent_path() /
                                ("file_cache." + std::to_string(getpid()) + ".tmp");
};

TEST_F(file_cache, a_written_file_is_resident_until_it_is_dropped) {
  EXPECT_EQ(resident_fraction(path()), 1.0);
  drop_from_cache(path());
  EXPECT_LT(resident_fraction(path()), 0.1);
  std::ifstream file(path());
  std::string text((1 << 20), ' ');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  EXPECT_EQ(resident_fraction(path()), 1.0);
}

TEST_F(file_cache, direct_io_is_answered_for_files_and_for_what_is_not_there) {
  const auto direct = open_file::try_open(path(), O_RDONLY | O_DIRECT);
  EXPECT_EQ(supports_direct_io(path()), direct.has_value());
  EXPECT_FALSE(supports_direct_io("/no/such/file"));
}

TEST_F(file_cache, an_empty_file_has_no_pages_and_a_missing_one_is_named) {
  std::ofstream(path(), std::ios::trunc).close();
  EXPECT_EQ(resident_fraction(path()), 0.0);
  try {
    drop_from_cache("/no/such/file");
    FAIL();
  } catch (const io_failure& e) {
    EXPECT_EQ(e.code(), ENOENT);
    EXPECT_NE(std::string(e.what()).find("/no/such/file"), std::string::npos);
  }
}

}  // namespace
}  // namespace ridge::host
