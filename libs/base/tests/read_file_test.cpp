// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/read_file.hpp>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge {
namespace {

using testing::HasSubstr;

struct read_file_test : testing::Test {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "ridge_read_file_test.bin";
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
  ~read_file_test() override { std::filesystem::remove(path); }
};

TEST_F(read_file_test, returns_every_byte) {
  std::string text(200'000, 'x');
  text[7] = '\0', text[8] = '\r', text[9] = '\n';
  write(text);
  EXPECT_EQ(*read_file(path), text);
  write("");
  EXPECT_EQ(*read_file(path), "");
}

TEST_F(read_file_test, reads_files_without_a_size) {
  EXPECT_THAT(*read_file("/proc/self/status"), HasSubstr("Pid:"));
}

TEST_F(read_file_test, names_the_path_in_the_error) {
  EXPECT_EQ(read_file("/nowhere/at/all").why().message,
            "cannot read /nowhere/at/all: No such file or directory");
  EXPECT_EQ(read_file("/proc").why().message, "/proc is a folder");
}

TEST_F(read_file_test, refuses_more_than_was_allowed) {
  write("12345");
  EXPECT_EQ(*read_file(path, 5), "12345");
  EXPECT_THAT(read_file(path, 4).why().message, HasSubstr("is larger than 4 bytes"));
}

}  // namespace
}  // namespace ridge
