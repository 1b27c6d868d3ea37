// SPDX-License-Identifier: Apache-2.0
#include "import/sniff.hpp"

#include <gtest/gtest.h>

namespace ridge::trace {
namespace {

using namespace std::string_literals;

std::string remedy_for(std::string_view head) {
  const auto why = unreadable_format(head, "my.file");
  return why ? why->remedy : "";
}

TEST(unreadable_format, names_the_command_that_makes_a_readable_file) {
  EXPECT_NE(remedy_for("NVIDIA Tegra Profiler Report 1.\n").find("nsys export --type sqlite my.file"),
            std::string::npos);
  EXPECT_NE(remedy_for("NVR\0\x01\x02"s).find("ncu --import my.file --csv --page raw"), std::string::npos);
  EXPECT_NE(remedy_for("version https://git-lfs.github.com/spec/v1\n").find("git lfs pull"),
            std::string::npos);
  EXPECT_NE(remedy_for("PERFILE2h\0\0"s).find("perf script -i my.file"), std::string::npos);
}

TEST(unreadable_format, knows_utf_16_with_and_without_its_mark) {
  EXPECT_NE(remedy_for("\xff\xfe{\0\"\0"s).find("iconv -f UTF-16 -t UTF-8 my.file"), std::string::npos);
  EXPECT_NE(remedy_for("\xfe\xff\0{\0\""s).find("iconv -f UTF-16 "), std::string::npos);
  EXPECT_NE(remedy_for("{\0\"\0"s).find("UTF-16LE"), std::string::npos);
  EXPECT_NE(remedy_for("[\0{\0"s).find("UTF-16LE"), std::string::npos);
  EXPECT_NE(remedy_for("\0[\0{"s).find("UTF-16BE"), std::string::npos);
  EXPECT_NE(remedy_for("\0{\0\""s).find("UTF-16BE"), std::string::npos);
}

TEST(unreadable_format, knows_pages_and_emptiness) {
  EXPECT_NE(unreadable_format("\xef\xbb\xbf \n<!DOCTYPE HTML><html>", "f")->message.find("HTML"),
            std::string::npos);
  EXPECT_NE(unreadable_format("<html><body>404", "f")->message.find("HTML"), std::string::npos);
  EXPECT_NE(unreadable_format("", "f")->message.find("empty"), std::string::npos);
  EXPECT_NE(unreadable_format(" \r\n\t", "f")->message.find("empty"), std::string::npos);
}

TEST(unreadable_format, leaves_protocol_buffers_to_their_readers) {
  EXPECT_FALSE(unreadable_format("\x0a\x04\x50\x03\xa8\x01\x0a\x02\x08\x01"s, "f"));
}

TEST(unreadable_format, leaves_texts_alone) {
  EXPECT_FALSE(unreadable_format("\n{\"traceEvents\": []}", "f"));
  EXPECT_FALSE(unreadable_format("\n\n[\n{\"ph\": \"X\"}", "f"));
  EXPECT_FALSE(unreadable_format("{", "f"));
  EXPECT_FALSE(unreadable_format("\"ID\",\"Process ID\"", "f"));
}

TEST(unpacker_of, tells_compression_by_its_first_bytes) {
  EXPECT_EQ(unpacker_of("\x1f\x8b\x08\0"s)->format(), "gzip");
  EXPECT_EQ(unpacker_of("\x28\xb5\x2f\xfd\0"s)->format(), "zstd");
  EXPECT_EQ(unpacker_of("\x52\x2a\x4d\x18\0"s)->format(), "zstd");
  EXPECT_EQ(unpacker_of("{}"), nullptr);
  EXPECT_EQ(unpacker_of(""), nullptr);
}

}  // namespace
}  // namespace ridge::trace
