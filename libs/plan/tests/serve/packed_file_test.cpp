// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/packed_file.hpp>

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
  void TearDown() override { std::filesystem::remove(path); }

  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
  // Each call appends one gzip member.
  void append_packed(const std::string& text) const {
    auto* file = gzopen(path.c_str(), "ab");
    ASSERT_NE(file, nullptr);
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
  }

  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ridge_packed_file_" + std::to_string(getpid()));
};

TEST_F(packed_file_of, plain_text_is_that_text) {
  for (const std::string text : {"", "a,b\r\n1,2\n"}) {
    write(text);
    EXPECT_EQ(packed_file(path).value(), text);
  }
}

TEST_F(packed_file_of, gzip_members_is_their_text_one_after_another) {
  const std::string much(std::size_t{3} << 20, 'x');
  append_packed(much);
  append_packed("");
  append_packed("end");
  EXPECT_EQ(packed_file(path).value(), much + "end");
  EXPECT_THAT(packed_file(path, much.size()).why().message, HasSubstr("more than"));
}

TEST_F(packed_file_of, bytes_after_the_last_member_are_left_out) {
  append_packed("first ");
  append_packed("second");
  for (const auto& rest : {std::string(512, '\0'), std::string("\n")}) {
    std::ofstream(path, std::ios::binary | std::ios::app) << rest;
    EXPECT_EQ(packed_file(path).value(), "first second");
  }
}

TEST_F(packed_file_of, member_that_follows_and_is_cut_is_broken) {
  append_packed("whole");
  std::ofstream(path, std::ios::binary | std::ios::app) << "\x1f\x8b\x08";
  EXPECT_THAT(packed_file(path).why().message, HasSubstr("broken gzip stream"));
}

TEST_F(packed_file_of, name_is_that_of_the_form_which_exists) {
  auto packed = path;
  packed += ".gz";
  EXPECT_EQ(plain_or_packed(path), path);
  std::ofstream(packed) << "x";
  EXPECT_EQ(plain_or_packed(path), packed);
  write("x");
  EXPECT_EQ(plain_or_packed(path), path);
  std::filesystem::remove(packed);
}

TEST_F(packed_file_of, broken_gzip_names_the_file) {
  append_packed("some text that is cut");
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 9);
  EXPECT_THAT(packed_file(path).why().message, HasSubstr(path.string() + ": broken gzip stream"));
  write("\x1f\x8b and nothing that zlib knows");
  EXPECT_THAT(packed_file(path).why().message, HasSubstr("broken gzip stream"));
}

TEST_F(packed_file_of, nothing_names_the_file) {
  EXPECT_THAT(packed_file(path).why().message, HasSubstr(path.string() + ": No such file"));
}

}  // namespace
}  // namespace ridge::plan
