// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/rule.hpp>

namespace ridge::trace {
namespace {

using ::testing::HasSubstr;

TEST(rule_table, holds_every_rule_once_with_all_that_a_finding_prints) {
  const auto table = rule_table::built_in();
  EXPECT_EQ(table.rules.size(), 72u);  // T 10, I 9, C 5, N 7, K 21, P 3, H 5, D 1
  for (const auto& r : table.rules) {
    EXPECT_FALSE(r.title.empty() || r.text.empty() || r.advice.empty() || r.next.empty()) << r.id;
    EXPECT_FALSE(r.source.empty()) << r.id << ": whose idea is it?";
    EXPECT_FALSE(r.experiments.empty()) << r.id << ": which experiment teaches it?";
    EXPECT_FALSE(r.thresholds.empty()) << r.id;
  }
}

TEST(rule_table, takes_thresholds_from_the_user) {
  auto table = rule_table::built_in();
  EXPECT_EQ(table.find("I1")->limit("idle_share"), 0.15);
  ASSERT_TRUE(table.set("I1.idle_share=0.2").ok());
  EXPECT_EQ(table.find("I1")->limit("idle_share"), 0.2);
}

TEST(rule_table, refuses_settings_that_name_nothing_and_says_what_there_is) {
  auto table = rule_table::built_in();
  EXPECT_THAT(table.set("I1.idle_shar=0.2").why().text(), HasSubstr("idle_share"));
  EXPECT_THAT(table.set("Z9.share=0.2").why().text(), HasSubstr("Z9"));
  EXPECT_THAT(table.set("I1.idle_share=a lot").why().text(), HasSubstr("a lot"));
  EXPECT_THAT(table.set("I1.idle_share=-1").why().text(), HasSubstr("-1"));
  EXPECT_THAT(table.set("idle_share").why().text(), HasSubstr("--set"));
}

TEST(rule_table, refuses_rows_that_are_not_whole) {
  constexpr auto row = R"({"schema": "ridge.rules/1", "needs": {}, "rules": [{"id": "X1", "level": "why"}]})";
  EXPECT_THAT(parse_rules(row).why().text(), HasSubstr("X1"));
  EXPECT_THAT(parse_rules("{").why().text(), HasSubstr("JSON"));
}

}  // namespace
}  // namespace ridge::trace
