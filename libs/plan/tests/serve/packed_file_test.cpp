// SPDX-License-Identifier: Apache-2.0
#include "packed_file.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <zlib.h>

namespace ridge::plan {
namespace {

using testing::HasSubstr;

// A file that is gone after the test.
class packed_file_of : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  // Each call appends one gzip member.
  void append_packed(const std::string& text) const {
    auto* file = gzopen(path_.c_str(), "ab");
    ASSERT_NE(file, nullptr);
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
  }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("ridge_packed_file_" + std::to_string(getpid()));
};

TEST_F(packed_file_of, plain_text_is_that_text) {
  for (const std::string text : {"", "a,b\r\n1,2\n"}) {
    write(text);
    EXPECT_EQ(packed_file(path_).value(), text);
  }
}

TEST_F(packed_file_of, gzip_members_is_their_text_one_after_another) {
  const std::string much(std::size_t{3} << 20, 'x');
  append_packed(much);
  append_packed("");
  append_packed("end");
  EXPECT_EQ(packed_file(path_).value(), much + "end");
  EXPECT_THAT(packed_file(path_, much.size()).why().message, HasSubstr("more than"));
}

TEST_F(packed_file_of, broken_gzip_names_the_file) {
  append_packed("some text that is cut");
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 9);
  EXPECT_THAT(packed_file(path_).why().message, HasSubstr(path_.string() + ": broken gzip stream"));
  write("\x1f\x8b and nothing that zlib knows");
  EXPECT_THAT(packed_file(path_).why().message, HasSubstr("broken gzip stream"));
}

TEST_F(packed_file_of, nothing_names_the_file) {
  EXPECT_THAT(packed_file(path_).why().message, HasSubstr(path_.string() + ": No such file"));
}

}  // namespace
}  // namespace ridge::plan
