// SPDX-License-Identifier: Apache-2.0
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

}  // namespace
}  // namespace ridge::app
