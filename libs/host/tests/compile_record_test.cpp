// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/compile_record.hpp>

#include <fstream>

#include <gtest/gtest.h>

namespace ridge::host {
namespace {

TEST(compile_record, switches_say_whether_code_was_optimized) {
  EXPECT_EQ(optimization_in("GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -O2"), optimization::on);
  EXPECT_EQ(optimization_in("GNU C++20 12.2.0 -march=x86-64 -g -Og"), optimization::on);
  EXPECT_EQ(optimization_in("GNU C17 12.2.0 -march=x86-64 -O2 -O0"), optimization::off);
  EXPECT_EQ(optimization_in("GNU C17 12.2.0 -mtune=generic -march=x86-64 -g"), optimization::off);
  EXPECT_EQ(optimization_in("GNU C17 12.2.0"), optimization::unknown);
  EXPECT_EQ(optimization_in("Debian clang version 14.0.6"), optimization::unknown);
  EXPECT_EQ(optimization_in(""), optimization::unknown);
}

TEST(compile_record, what_is_no_object_is_unknown_with_a_reason) {
  const auto path = testing::TempDir() + "/no_object";
  for (const auto* bytes :
       {"", "\177ELF", "text that is long enough to be a header of an ELF file, which it is not"}) {
    std::ofstream(path) << bytes;
    const auto seen = compile_record_of(std::filesystem::path(path));
    EXPECT_EQ(seen.optimization, optimization::unknown);
    EXPECT_NE(seen.words.find("not an ELF file"), std::string::npos) << seen.words;
  }
  EXPECT_NE(compile_record_of(std::filesystem::path("/no/such/file")).words, "");
  const int here = 0;
  EXPECT_EQ(compile_record_of(&here).words, "its code lies in no file");
}

// Damaged sections end the reading; they are never read beyond their end.
TEST(compile_record, any_byte_of_a_file_may_be_wrong) {
  std::ifstream own("/proc/self/exe", std::ios::binary);
  std::string bytes(1u << 20, '\0');
  own.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(own.gcount()));
  const auto path = testing::TempDir() + "/cut_object";
  for (std::size_t i = 0; i < 64; ++i) {
    auto damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x5a);
    std::ofstream(path, std::ios::binary) << damaged;
    EXPECT_EQ(compile_record_of(std::filesystem::path(path), 0x1000).optimization, optimization::unknown)
        << i;
  }
}

}  // namespace
}  // namespace ridge::host
