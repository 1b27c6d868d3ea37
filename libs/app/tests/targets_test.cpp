// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ridge/app/targets.hpp>

#include "tiny_catalogue.hpp"

namespace ridge::app {
namespace {

std::vector<std::string> ids(const std::vector<std::string>& targets) {
  std::vector<std::string> found;
  const auto chosen = select(tests::catalogue(), targets);
  if (!chosen) return {"error: " + chosen.why().text()};
  for (const auto& one : *chosen) found.push_back(one->id);
  return found;
}

using names = std::vector<std::string>;

TEST(select, understands_every_kind_of_target) {
  EXPECT_EQ(ids({"ch01"}), (names{"ch01.copy", "ch01.gemm"}));
  EXPECT_EQ(ids({"ch1"}), (names{"ch01.copy", "ch01.gemm"}));
  EXPECT_EQ(ids({"ch1.gemm"}), names{"ch01.gemm"});
  EXPECT_EQ(ids({"*.copy"}), (names{"ch01.copy", "ch07.copy"}));
  EXPECT_EQ(ids({"tag:memory"}), (names{"ch01.copy", "ch07.copy"}));
  EXPECT_EQ(ids({"compute"}), names{"ch01.gemm"});
  EXPECT_EQ(ids({"labs"}), names{"labs.engine.serve"});
  EXPECT_EQ(ids({"labs.engine"}), names{"labs.engine.serve"});
  EXPECT_EQ(ids({"all"}).size(), 4u);
}

TEST(select, keeps_the_catalogues_order_and_each_experiment_once) {
  EXPECT_EQ(ids({"ch07", "ch01.copy", "tag:memory"}), (names{"ch01.copy", "ch07.copy"}));
}

TEST(select, takes_a_short_name_only_where_it_is_unique) {
  EXPECT_EQ(ids({"gemm"}), names{"ch01.gemm"});
  EXPECT_TRUE(ids({"copy"}).front().starts_with("error: no experiment"));
}

TEST(select, suggests_what_was_meant) {
  EXPECT_NE(ids({"ch01.gmm"}).front().find("did you mean \"ch01.gemm\"?"), std::string::npos);
  EXPECT_NE(ids({"zzzzzzzzzzz"}).front().find("ridge list"), std::string::npos);
}

std::string why_not(const std::string& target) {
  const std::vector<chapter_file> absent{{"ch02", "/nowhere/ch02.so", {"ch02.gather", "ch02.copies"}},
                                         {"labs", "/nowhere/labs.so", {"labs.engine.load"}}};
  const auto chosen = select(experiment_shelf(tests::catalogue(), absent), {target});
  return chosen ? "nothing is wrong" : chosen.why().text();
}

TEST(select, what_the_sources_hold_and_the_build_lacks_is_not_built_here) {
  EXPECT_EQ(why_not("ch02"), "chapter ch02 is not built here; `make build ONLY=ch02` builds it");
  EXPECT_EQ(why_not("ch2.gather"),
            "experiment ch02.gather is not built here; `make build ONLY=ch02` builds its chapter");
  for (const auto* target : {"gather", "ch02.g*"})
    EXPECT_EQ(why_not(target), why_not("ch02.gather")) << target;
  EXPECT_EQ(why_not("labs.engine.load"),
            "experiment labs.engine.load is not built here; `make build ONLY=labs` builds its chapter");
  EXPECT_EQ(why_not("ch01.copy"), "nothing is wrong");
}

TEST(select, a_misspelling_gets_the_nearest_names_whatever_is_built) {
  EXPECT_EQ(why_not("ch01.gmm"),
            "no experiment, chapter or tag is called \"ch01.gmm\"; did you mean \"ch01.gemm\"?");
  EXPECT_EQ(why_not("ch02.gathr"),
            "no experiment, chapter or tag is called \"ch02.gathr\"; did you mean \"ch02.gather\"?");
  EXPECT_EQ(why_not("ch03.copy"),
            "no experiment, chapter or tag is called \"ch03.copy\"; did you mean "
            "\"ch01.copy\" or \"ch07.copy\"?");
  EXPECT_EQ(why_not("copy"),
            "no experiment, chapter or tag is called \"copy\"; did you mean \"ch01.copy\" or "
            "\"ch07.copy\"?");
  EXPECT_EQ(why_not("zzzzzzzzzzz"),
            "no experiment, chapter or tag is called \"zzzzzzzzzzz\"; `ridge list` prints every experiment");
}

TEST(chapters_in, reads_the_shared_object_and_the_experiments_of_each_line) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("ridge_chapters_{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "chapters.txt") << "ch01 ch01_basics ch01.copy ch01.gemm\nch02 ch02_links\n";
  const auto chapters = chapters_in(folder);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(chapters.size(), 2u);
  EXPECT_EQ(chapters[0].path, folder / "chapters/ch01_basics.so");
  EXPECT_EQ(chapters[0].experiments, (names{"ch01.copy", "ch01.gemm"}));
  EXPECT_TRUE(chapters[1].experiments.empty());
}

TEST(select, a_chapter_is_whole_segments_of_an_id) {
  EXPECT_TRUE(ids({"ch"}).front().starts_with("error"));
  EXPECT_TRUE(ids({"labs.eng"}).front().starts_with("error"));
}

TEST(select, all_of_a_program_without_a_built_chapter_is_an_error) {
  const experiment_shelf nothing_built({}, {{"ch01", "/no/such/ch01.so"}});
  const auto chosen = select(nothing_built, {"all"});
  ASSERT_FALSE(chosen);
  EXPECT_NE(chosen.why().text().find("not built here: ch01; `make build` builds every chapter"),
            std::string::npos)
      << chosen.why().text();
  EXPECT_FALSE(select(experiment_shelf{}, {"all"}));
  EXPECT_TRUE(select(nothing_built, {}));
}

// A chapter that was built for an earlier program keeps nobody from using the others.
TEST(shelf, a_chapter_that_cannot_be_opened_counts_as_not_built_until_it_is_named) {
  const auto file = std::filesystem::path(testing::TempDir()) / "stale_chapter.so";
  std::ofstream(file) << "no shared object\n";
  const std::vector<chapter_file> chapters{{"ch07", file, {"ch07.other"}}};
  const auto linked = tests::catalogue();
  const experiment_shelf shelf(linked, chapters);
  EXPECT_EQ(shelf.all().size(), linked.size());
  ASSERT_EQ(shelf.not_built().size(), 1u);
  EXPECT_EQ(shelf.not_built().front().id, "ch07");
  EXPECT_TRUE(select(shelf, {linked.front()->id}));
  EXPECT_THROW((void)shelf.named_by({"ch07"}), failure);
  EXPECT_THROW((void)shelf.named_by({"all"}), failure);
  EXPECT_EQ(ids_named(shelf, "ch07").back(), "ch07.other");
  for (const auto* target : {"ch07.other", "ch7.other", "other", "ch07.oth*"})
    EXPECT_EQ(ids_named(shelf, target), std::vector<std::string>{"ch07.other"}) << target;
  EXPECT_EQ(ids_named(shelf, linked.front()->id), std::vector<std::string>{linked.front()->id});
  EXPECT_EQ(ids_named(shelf, "nosuch"), std::vector<std::string>{});
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace ridge::app
