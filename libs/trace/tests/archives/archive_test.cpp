// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include <ridge/base/error.hpp>
#include <ridge/trace/byte_source.hpp>

#include "fixtures/data.hpp"
#include "fixtures/packed.hpp"
#include "fixtures/scratch_folder.hpp"
#include "import/input_opener.hpp"

namespace ridge::trace {
namespace {

using fixtures::archived;
using fixtures::long_names;
using fixtures::read_all;
using fixtures::tarred;
using fixtures::zip_kind;
using fixtures::zipped;

std::vector<archived> two_files() {
  return {{"runs/", ""},
          {"runs/rank0.json", std::string(1000, 'a')},
          {"runs/.DS_Store", "x"},
          {"runs/" + std::string(150, 'd') + "/rank1.json", "second"},
          {"empty", ""}};
}

// What every member holds, by its name.
std::vector<archived> contents(const std::string& path) {
  const auto members = members_of(path);
  if (!members) return {{"error", members.why().message}};
  input_opener opener({});
  std::vector<archived> all;
  for (const auto& m : *members) {
    const auto source = opener.open(m);
    all.push_back({m.member, source.ok() ? read_all(**source) : source.why().message});
  }
  return all;
}

void expect_two_files(const std::string& path, std::string_view container) {
  const auto got = contents(path);
  ASSERT_EQ(got.size(), 3U) << path;
  EXPECT_EQ(got[0].name, "runs/rank0.json");
  EXPECT_EQ(got[0].text, std::string(1000, 'a'));
  EXPECT_EQ(got[1].name, "runs/" + std::string(150, 'd') + "/rank1.json");
  EXPECT_EQ(got[1].text, "second");
  EXPECT_EQ(got[2].text, "");
  EXPECT_EQ(members_of(path).value().at(0).container, container);
}

TEST(archive, gives_the_files_of_every_kind_told_by_content) {
  const fixtures::scratch_folder in;
  const auto gnu = tarred(two_files()), pax = tarred(two_files(), long_names::pax);
  expect_two_files(in.write("a", gnu), "tar");
  expect_two_files(in.write("b", fixtures::gzipped(pax)), "tar.gz");
  expect_two_files(in.write("c", fixtures::zstandard(gnu)), "tar.zst");
  for (const auto kind : {zip_kind::stored, zip_kind::deflated, zip_kind::wide})
    expect_two_files(in.write("d", zipped(two_files(), kind)), "zip");
}

TEST(archive, opens_members_in_any_order_and_takes_off_their_compression) {
  const fixtures::scratch_folder in;
  const auto path = in.write("a", tarred({{"1", fixtures::gzipped("one")}, {"2", "two"}}));
  input_opener opener({});
  const auto open = [&](const char* name) {
    const auto source = opener.open({.path = path, .member = name, .container = "tar"});
    return source ? read_all(**source) : source.why().message;
  };
  EXPECT_EQ(open("2"), "two");
  EXPECT_EQ(open("1"), "one");
  EXPECT_EQ(open("1"), "one");
  EXPECT_NE(open("3").find("no file 3 in this archive"), std::string::npos);
}

// Returns the processor time that reading an archive of so many members takes.
double seconds_to_read(int members) {
  const fixtures::scratch_folder in;
  std::vector<archived> files;
  for (int i = 0; i < members; ++i) files.push_back({"f" + std::to_string(i), std::to_string(i)});
  const auto path = in.write("many", zipped(files, zip_kind::deflated));
  const auto begin = std::clock();
  const auto got = contents(path);
  const auto seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_EQ(got.size(), files.size());
  EXPECT_EQ(got.back().text, std::to_string(members - 1));
  return seconds;
}

// Where the directory was read anew for each member, eight times the members took 64 times as long.
TEST(archive, opens_all_of_many_members_in_time_that_grows_with_their_number) {
  EXPECT_LT(seconds_to_read(12'000), 20 * std::max(seconds_to_read(1'500), 0.02));
}

TEST(archive, gives_what_a_cut_tar_holds) {
  const fixtures::scratch_folder in;
  const auto whole = tarred({{"1", std::string(700, 'x')}, {"2", std::string(2000, 'y')}});
  const auto path = in.write("cut.tar", whole.substr(0, 512 + 1024 + 512 + 900));
  const auto members = members_of(path);
  ASSERT_TRUE(members.ok());
  ASSERT_EQ(members->size(), 2U);
  const auto second = open_member(members->at(1));
  EXPECT_EQ(read_all(**second), std::string(900, 'y'));
  EXPECT_NE((*second)->ended_early()->message.find("1100 bytes before its end"), std::string::npos);
}

TEST(archive, says_where_a_zip_is_cut_or_damaged) {
  const fixtures::scratch_folder in;
  auto zip = zipped({{"1", "some text that is there"}}, zip_kind::stored);
  const auto cut = members_of(in.write("cut.zip", zip.substr(0, zip.size() - 40)));
  ASSERT_FALSE(cut.ok());
  EXPECT_NE(cut.why().message.find("directory of this zip"), std::string::npos);
  zip[40] ^= 1;
  const auto damaged = members_of(in.write("damaged.zip", zip));
  ASSERT_TRUE(damaged.ok());
  const auto source = open_member(damaged->at(0));
  EXPECT_EQ(read_all(**source).size(), 23U);
  EXPECT_NE((*source)->ended_early()->message.find("checksum"), std::string::npos);
}

TEST(archive, holds_eight_ranks_in_the_real_tar) {
  const auto path = fixtures::data_file("traces/param/dlrm_kineto.tar.gz");
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto got = contents(path);
  ASSERT_EQ(got.size(), 8U);
  for (const auto& f : got) {
    EXPECT_TRUE(f.text.starts_with("\n{\n  \"schemaVersion\": 1,")) << f.name;
    EXPECT_EQ(f.text.substr(f.text.find_last_not_of('\n'), 1), "}") << f.name;
  }
}

TEST(byte_source, reads_a_thousandfold_bomb_of_100_mb_in_bounded_memory) {
  const auto path = fixtures::data_file("traces/malformed/zip_bomb_100MB.json.gz");
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto source = open_member(members_of(path).value().at(0));
  std::vector<char> block(std::size_t{1} << 20);
  std::uint64_t bytes = 0;
  for (auto n = (*source)->read(block); n > 0; n = (*source)->read(block)) bytes += n;
  EXPECT_GT(bytes, 99'000'000U);
  EXPECT_FALSE((*source)->ended_early());
  read_limits strict;
  strict.bomb_bytes = 1'000'000;
  strict.expansion = 100;
  const auto refused = open_member(members_of(path).value().at(0), strict);
  EXPECT_THROW(while ((*refused)->read(block) > 0){}, failure);
}

}  // namespace
}  // namespace ridge::trace
