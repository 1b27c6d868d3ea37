// SPDX-License-Identifier: Apache-2.0
#include "import/rank_in_path.hpp"

#include <gmock/gmock.h>

namespace ridge::trace {
namespace {

TEST(rank_in_path, is_the_number_behind_the_last_word_rank) {
  EXPECT_EQ(rank_behind_word("rank3.json.gz"), 3);
  EXPECT_EQ(rank_behind_word("node1/Rank_012/trace.json"), 12);
  EXPECT_EQ(rank_behind_word("rank-7/rank[9].json"), 9);
  EXPECT_EQ(rank_behind_word("rank4/ranks.json"), 4);  // the last word has no number
  EXPECT_EQ(rank_behind_word("frankly.json"), std::nullopt);
  EXPECT_EQ(rank_behind_word("frank2.json"), std::nullopt);
  EXPECT_EQ(rank_behind_word("rank5/frank2.json"), 5);
  EXPECT_EQ(rank_behind_word("0rank2.json"), 2);
  EXPECT_EQ(rank_behind_word("rank_99999999999.json"), std::nullopt);  // a time stamp
  EXPECT_EQ(rank_behind_word(""), std::nullopt);
}

TEST(rank_in_path, looks_only_below_what_the_user_named) {
  const auto rank = rank_in_path::made("", "/data/rank8").value();
  EXPECT_FALSE(rank.is_chosen());
  EXPECT_EQ(rank.of({.path = "/data/rank8/a.json"}), std::nullopt);
  EXPECT_EQ(rank.of({.path = "/data/rank8/rank2/a.json"}), 2);
  EXPECT_EQ(rank.of({.path = "/data/rank8", .member = "rank5.json"}), 5);
  EXPECT_EQ(rank_in_path::made("", "rank1/rank6.json").value().of({.path = "rank1/rank6.json"}), 6);
}

TEST(rank_in_path, follows_the_users_pattern) {
  const auto rank = rank_in_path::made("gpu{rank}_of", "runs").value();
  EXPECT_TRUE(rank.is_chosen());
  EXPECT_EQ(rank.of({.path = "runs/host2/gpu17_of_64.json"}), 17);
  EXPECT_EQ(rank.of({.path = "runs/gpu17.json"}), std::nullopt);
  EXPECT_EQ(rank.of({.path = "runs/rank3.json"}), std::nullopt);
  const auto in_folder = rank_in_path::made("host*/{rank}.json", "runs").value();
  EXPECT_EQ(in_folder.of({.path = "runs/host12/5.json"}), 5);
  EXPECT_EQ(in_folder.of({.path = "runs/host12/x5.json"}), std::nullopt);
  EXPECT_THAT(rank_in_path::made("gpu", "runs").why().message, testing::HasSubstr("\"gpu\""));
  EXPECT_FALSE(rank_in_path::made("{rank}/{rank}", "runs").ok());
}

}  // namespace
}  // namespace ridge::trace
