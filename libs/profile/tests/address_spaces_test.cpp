// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/address_spaces.hpp>

#include <gtest/gtest.h>

namespace ridge::profile {
namespace {

mapping_made map(pid_t process, std::uint64_t begin, std::uint64_t length, std::uint64_t offset,
                 const char* file) {
  return {.process = process, .begin = begin, .length = length, .offset = offset, .file = file};
}

std::string text_of(const address_spaces& spaces, pid_t process, std::uint64_t address) {
  const auto place = spaces.place_of(process, address);
  return place ? place->file + "+" + std::to_string(place->offset) : "-";
}

TEST(address_spaces, an_address_is_an_offset_in_the_file_mapped_there) {
  address_spaces s;
  s.add(map(1, 1000, 100, 40, "/bin/a"));
  EXPECT_EQ(text_of(s, 1, 999), "-");
  EXPECT_EQ(text_of(s, 1, 1000), "/bin/a+40");
  EXPECT_EQ(text_of(s, 1, 1099), "/bin/a+139");
  EXPECT_EQ(text_of(s, 1, 1100), "-");
  EXPECT_EQ(text_of(s, 2, 1000), "-");
}

TEST(address_spaces, a_new_mapping_cuts_the_old_ones_under_it) {
  address_spaces s;
  s.add(map(1, 1000, 100, 0, "a"));
  s.add(map(1, 1040, 20, 500, "b"));
  EXPECT_EQ(text_of(s, 1, 1039), "a+39");
  EXPECT_EQ(text_of(s, 1, 1040), "b+500");
  EXPECT_EQ(text_of(s, 1, 1060), "a+60");
  s.add(map(1, 1030, 50, 0, "c"));
  EXPECT_EQ(text_of(s, 1, 1029), "a+29");
  EXPECT_EQ(text_of(s, 1, 1079), "c+49");
  EXPECT_EQ(text_of(s, 1, 1080), "a+80");
  s.add(map(1, 900, 300, 7, "d"));
  EXPECT_EQ(text_of(s, 1, 1000), "d+107");
  EXPECT_EQ(text_of(s, 1, 1199), "d+306");
}

TEST(address_spaces, a_child_begins_with_its_parents_mappings_and_exec_forgets_them) {
  address_spaces s;
  s.add(map(1, 1000, 100, 0, "a"));
  s.add(thread_started{.process = 1, .thread = 5, .parent_process = 1});
  s.add(thread_started{.process = 2, .thread = 2, .parent_process = 1});
  EXPECT_EQ(text_of(s, 2, 1001), "a+1");
  s.add(thread_named{.process = 2, .thread = 2, .name = "other"});
  EXPECT_EQ(text_of(s, 2, 1001), "a+1");
  s.add(thread_named{.process = 2, .thread = 2, .name = "other", .by_exec = true});
  EXPECT_EQ(text_of(s, 2, 1001), "-");
  EXPECT_EQ(text_of(s, 1, 1001), "a+1");
}

}  // namespace
}  // namespace ridge::profile
