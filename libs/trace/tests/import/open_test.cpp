// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include <ridge/trace/importer.hpp>
#include <ridge/trace/open.hpp>
#include <ridge/trace/trace_builder.hpp>

#include "fixtures/packed.hpp"
#include "fixtures/scratch_folder.hpp"

namespace ridge::trace {
namespace {

using fixtures::gzipped;
using fixtures::read_all;
using fixtures::zstandard;

int texts_read = 0;

// "RANK 3 any text": a trace of rank 3 with one event, named after the text.
class rank_importer final : public importer {
 public:
  std::string_view format() const override { return "rank_text"; }
  bool recognises(std::string_view head) const override { return head.starts_with("RANK "); }
  std::optional<int> rank_in(std::string_view head) const override {
    return head.find("SILENT") == std::string_view::npos ? std::optional(head[5] - '0') : std::nullopt;
  }
  result<trace> read(byte_source& source, origin origin, const read_limits&) const override {
    const auto text = read_all(source);
    ++texts_read;
    trace_builder to;
    to.facts().source = std::move(origin);
    to.facts().source.rank = text[5] - '0';
    to.add({.name = to.intern(text.substr(7)), .track = to.track_of(track_kind::thread, to.process(1), 1)});
    return std::move(to).finish();
  }
};

class open_test : public testing::Test {
 protected:
  std::string file(const std::string& name, std::string_view text) const { return folder.write(name, text); }
  static result<opened_traces> opened_with(const std::string& path, const open_options& options) {
    static const rank_importer by;
    static const importer* const importers[] = {&by};
    return open(path, importers, options);
  }
  static result<opened_traces> opened(const std::string& path, open_options options = {}) {
    options.cache = false;
    return opened_with(path, options);
  }

  fixtures::scratch_folder folder{};
};

TEST_F(open_test, tells_format_and_container_by_content) {
  const auto plain = opened(file("a.gz", "RANK 2 plain"));
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->traces.at(0).name_of(0), "plain");
  EXPECT_EQ(plain->traces.at(0).source.container, "");
  const auto packed = opened(file("b.json", gzipped("RANK 2 packed")));
  ASSERT_TRUE(packed.ok());
  EXPECT_EQ(packed->traces.at(0).name_of(0), "packed");
  EXPECT_EQ(packed->traces.at(0).source.container, "gzip");
  EXPECT_EQ(packed->traces.at(0).source.format, "rank_text");
  EXPECT_EQ(packed->traces.at(0).source.content_bytes, 13U);
  const auto twice = opened(file("c", zstandard(gzipped("RANK 2 twice"))));
  ASSERT_TRUE(twice.ok());
  EXPECT_EQ(twice->traces.at(0).name_of(0), "twice");
  EXPECT_EQ(twice->traces.at(0).source.container, "zstd");
}

TEST_F(open_test, orders_a_folder_by_rank_and_says_what_is_no_trace) {
  file("1", "RANK 7 late");
  file("2", gzipped("RANK 0 first"));
  file("3", "notes");
  file("4", "");
  file(".hidden", "RANK 5 hidden");
  std::vector<std::string> said;
  const auto all =
      opened(folder.path().string(), {.progress = [&](std::string_view stage) { said.emplace_back(stage); }});
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all->traces.size(), 2U);
  EXPECT_EQ(all->traces[0].name_of(0), "first");
  EXPECT_EQ(all->traces[1].name_of(0), "late");
  ASSERT_EQ(all->unread.size(), 2U);
  EXPECT_NE(all->unread[0].why.message.find("format not recognised"), std::string::npos);
  EXPECT_NE(all->unread[0].why.remedy.find("rank_text"), std::string::npos);
  EXPECT_NE(all->unread[1].why.message.find("is empty"), std::string::npos);
  EXPECT_EQ(said.size(), 4U);
}

TEST_F(open_test, leaves_a_damaged_archive_out_of_a_folder) {
  file("1", "RANK 0 good");
  const auto zip = fixtures::zipped({{"a", "RANK 1 lost"}});
  file("2", zip.substr(0, zip.size() - 30));
  const auto all = opened(folder.path().string());
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->traces.size(), 1U);
  ASSERT_EQ(all->unread.size(), 1U);
  EXPECT_NE(all->unread[0].why.message.find("damaged"), std::string::npos);
}

TEST_F(open_test, keeps_only_the_ranks_asked_for) {
  for (const auto* rank : {"0", "1", "2", "3"}) file(rank, std::string("RANK ") + rank + " x");
  file("4", "RANK 4 SILENT");
  texts_read = 0;
  const auto some = opened(folder.path().string(), {.ranks = {3, 1}});
  ASSERT_TRUE(some.ok());
  ASSERT_EQ(some->traces.size(), 2U);
  EXPECT_EQ(texts_read, 3) << "only those whose first bytes do not tell another rank";
  EXPECT_EQ(some->traces[0].source.rank, 1);
  EXPECT_EQ(some->traces[1].source.rank, 3);
  EXPECT_FALSE(opened(folder.path().string(), {.ranks = {9}}).ok());
}

TEST_F(open_test, says_what_the_container_lost) {
  const auto packed = gzipped("RANK 1 " + std::string(200, 'n'));
  const auto cut = opened(file("cut", std::string_view(packed).substr(0, packed.size() - 6)));
  ASSERT_TRUE(cut.ok());
  EXPECT_TRUE(cut->traces.at(0).quality.truncated());
  const auto dirty = opened(file("dirty", packed + "rest"));
  ASSERT_TRUE(dirty.ok());
  EXPECT_FALSE(dirty->traces.at(0).quality.truncated());
  EXPECT_EQ(dirty->traces.at(0).quality.count(flaw::trailing_bytes), 1U);
}

TEST_F(open_test, reads_all_of_an_archive_but_no_archive_in_it) {
  const auto inner = fixtures::tarred({{"deep", "RANK 9 deep"}});
  const auto all =
      opened(file("a", gzipped(fixtures::tarred({{"y", "RANK 1 b"}, {"x", "RANK 0 a"}, {"z", inner}}))));
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all->traces.size(), 2U);
  EXPECT_EQ(all->traces[0].source.member, "x");
  EXPECT_EQ(all->traces[0].source.container, "tar.gz");
  EXPECT_EQ(all->traces[1].name_of(0), "b");
  ASSERT_EQ(all->unread.size(), 1U);
  EXPECT_NE(all->unread[0].why.message.find("inside another one"), std::string::npos);
}

TEST_F(open_test, opens_a_second_time_from_the_cache) {
  const auto path = file("a", "RANK 4 " + std::string(5000, 'n'));
  const open_options options{.cache_folder = (folder.path() / "cache").string(), .cached_from_bytes = 1000};
  EXPECT_FALSE(opened_with(path, options)->traces.at(0).source.from_cache);
  const auto again = opened_with(path, options);
  EXPECT_TRUE(again->traces.at(0).source.from_cache);
  EXPECT_EQ(again->traces.at(0).source.rank, 4);
  EXPECT_EQ(again->traces.at(0).name_of(0), std::string(5000, 'n'));
  EXPECT_FALSE(opened(path)->traces.at(0).source.from_cache);
  const auto brief = file("b", "RANK 4 brief");
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(opened_with(brief, options)->traces.at(0).source.from_cache);
}

TEST_F(open_test, reads_a_pipe_once_and_keeps_no_cache_of_it) {
  const fixtures::scratch_folder in;
  const auto path = (in.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const rank_importer ranks;
  const std::array<const importer*, 1> importers{&ranks};
  for (const auto& text : {std::string("RANK 3 first"), gzipped("RANK 4 second")}) {
    std::thread writer([&] { std::ofstream(path, std::ios::binary) << text; });
    const auto opened =
        open(path, importers, {.cache_folder = (in.path() / "cache").string(), .cached_from_bytes = 0});
    writer.join();
    ASSERT_TRUE(opened.ok()) << opened.why().text();
    EXPECT_EQ(opened->traces.at(0).name_of(0), text.starts_with("RANK") ? "first" : "second");
    EXPECT_FALSE(opened->traces.at(0).source.from_cache);
  }
}

TEST_F(open_test, names_a_path_that_is_not_there_and_a_folder_without_files) {
  const auto absent = opened((folder.path() / "absent").string());
  ASSERT_FALSE(absent.ok());
  EXPECT_NE(absent.why().message.find("no such file"), std::string::npos);
  ASSERT_FALSE(opened(folder.path().string()).ok());
}

}  // namespace
}  // namespace ridge::trace
