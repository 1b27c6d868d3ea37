// SPDX-License-Identifier: Apache-2.0
#include "own_mapping.hpp"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <ridge/profile/symbols.hpp>

namespace ridge::profile {

mapping_made own_mapping(pid_t process) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t begin = 0, end = 0, offset = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " r-xp %" SCNx64, &begin, &end, &offset) != 3)
      continue;
    const auto at = address_of(marked_inner);
    if (at >= begin && at < end)
      return {.process = process,
              .begin = begin,
              .length = end - begin,
              .offset = offset,
              .file = line.substr(line.find('/'))};
  }
  return {};
}

namespace {

std::uint64_t offset_of(int (*function)(int)) {
  const auto own = own_mapping(1);
  return address_of(function) - own.begin + own.offset;
}

TEST(elf_symbols, a_function_is_found_from_its_first_byte_to_its_last) {
  const elf_symbols s(own_mapping(1).file);
  EXPECT_GT(s.size(), 100U);
  EXPECT_EQ(s.function_at(offset_of(marked_inner)), "ridge_marked_inner");
  EXPECT_EQ(s.function_at(offset_of(marked_inner) + 1), "ridge_marked_inner");
  EXPECT_NE(s.function_at(offset_of(marked_inner) - 1), "ridge_marked_inner");
  EXPECT_EQ(s.function_at(std::uint64_t{1} << 50), "");
}

TEST(elf_symbols, what_is_no_elf_file_has_no_functions) {
  EXPECT_EQ(elf_symbols("/proc/self/status").size(), 0U);
  EXPECT_EQ(elf_symbols("/no/such/file").function_at(0), "");
  EXPECT_EQ(elf_symbols::of("\x7f"
                            "ELF")
                .size(),
            0U);
}

// Whatever is cut off or turned over, reading ends and stays inside.
TEST(elf_symbols, damaged_files_do_no_harm) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string bytes(64 << 10, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::uint64_t state = 1;
  const auto next = [&state] {
    return state = state * 6364136223846793005U + 1442695040888963407U, state >> 33;
  };
  for (int i = 0; i < 200; ++i) {
    auto damaged = bytes.substr(0, next() % bytes.size());
    for (int k = 0; k < 8 && damaged.size() > 64; ++k)
      damaged[next() % (k < 4 ? 64 : damaged.size())] = static_cast<char>(next());
    const auto s = elf_symbols::of(damaged);
    EXPECT_LE(s.function_at(next() % (1 << 20)).size(), std::size_t{1} << 20);
  }
}

}  // namespace
}  // namespace ridge::profile
