// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "fixtures/data.hpp"
#include "importers.hpp"

namespace ridge::trace {
namespace {

std::string name_of_file(const std::string& path) { return std::filesystem::path(path).filename().string(); }

TEST(opened, gives_the_ranks_of_an_archive_in_their_order) {
  const auto path = fixtures::data_file("traces/param/dlrm_kineto.tar.gz");
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto all = open_data(path);
  ASSERT_TRUE(all.ok()) << all.why().text();
  ASSERT_EQ(all->traces.size(), 8U);
  EXPECT_TRUE(all->unread.empty());
  for (int rank = 0; rank < 8; ++rank) {
    const auto& t = all->traces.at(static_cast<std::size_t>(rank));
    EXPECT_EQ(t.source.rank, rank);
    EXPECT_NE(t.source.member.find("worker" + std::to_string(rank)), std::string::npos);
    EXPECT_EQ(t.source.container, "tar.gz");
    EXPECT_GT(t.works.size(), 0U);
    EXPECT_FALSE(t.quality.truncated());
  }
  const auto one = open_data(path, {.ranks = {5}});
  ASSERT_TRUE(one.ok());
  ASSERT_EQ(one->traces.size(), 1U);
  EXPECT_EQ(one->traces[0].source.rank, 5);
}

TEST(opened, tells_of_every_damaged_file_what_it_is_or_what_it_lost) {
  const auto folder = fixtures::data_file("traces/malformed");
  if (folder.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto all = open_data(folder);
  ASSERT_TRUE(all.ok()) << all.why().text();
  std::map<std::string, error> unread;
  for (const auto& u : all->unread) unread[name_of_file(u.member.path)] = u.why;
  EXPECT_NE(unread["empty.json"].message.find("is empty"), std::string::npos);
  EXPECT_NE(unread["html_error_page.json"].message.find("HTML"), std::string::npos);
  EXPECT_NE(unread["git_lfs_pointer.json.gz"].remedy.find("git lfs pull"), std::string::npos);
  EXPECT_NE(unread["EXPECT.json"].message.find("format not recognised"), std::string::npos);
  for (const auto& [file, why] : unread) EXPECT_FALSE(why.remedy.empty()) << file;
  const auto cut = std::ranges::find(all->traces, "trunc_gzip.json.gz",
                                     [](const trace& t) { return name_of_file(t.source.path); });
  ASSERT_NE(cut, all->traces.end());
  EXPECT_TRUE(cut->quality.truncated());
  EXPECT_GT(cut->events.size(), 100U);
}

TEST(opened, reads_exports_of_nsight_systems_from_a_folder) {
  const auto folder = fixtures::data_file("traces/nsys");
  if (folder.empty()) GTEST_SKIP() << fixtures::no_data;
  const auto all = open_data(folder);
  ASSERT_TRUE(all.ok()) << all.why().text();
  EXPECT_EQ(all->traces.size(), fixtures::has_full_data() ? 3U : 2U);
  for (const auto& t : all->traces) EXPECT_EQ(t.source.format, "nsys_sqlite");
  ASSERT_EQ(all->unread.size(), 1U);
  EXPECT_EQ(name_of_file(all->unread[0].member.path), "healthy_1pct.json");
}

}  // namespace
}  // namespace ridge::trace
