// SPDX-License-Identifier: Apache-2.0
#include <ridge/results/analysis.hpp>

#include <algorithm>

#include <gmock/gmock.h>

#include "example_store.hpp"

namespace ridge::results {
namespace {

bool is_help(std::string_view text) { return !text.empty() && text.back() != '.'; }

TEST(analysis, says_of_itself_what_every_door_needs) {
  for (const auto& one : analyses()) {
    EXPECT_EQ(analysis_named(one.name), &one);
    EXPECT_TRUE(one.question.ends_with('?')) << one.name;
    EXPECT_FALSE(one.title.empty()) << one.name;
    for (const auto& p : one.parameters) {
      EXPECT_TRUE(is_help(p.help)) << one.name << " " << p.key;
      EXPECT_EQ(p.kind == parameter_kind::choice, !p.choices.empty()) << one.name << " " << p.key;
      EXPECT_EQ(p.kind == parameter_kind::quantity, !p.unit.empty()) << one.name << " " << p.key;
    }
  }
}

TEST(analysis, an_unknown_name_is_refused_with_those_that_there_are) {
  example_store empty(example_store::with_nothing);
  const auto found = answer_of("leaderboard", empty.get(), {});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.why().text(), testing::HasSubstr("leaderboards"));
}

}  // namespace
}  // namespace ridge::results
