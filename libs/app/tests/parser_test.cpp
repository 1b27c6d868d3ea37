// SPDX-License-Identifier: Apache-2.0
#include "command_line/parser.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A program with the shapes that matter: commands with positional arguments, and a group of commands.
struct example_program {
  std::string store{};
  std::vector<std::string> targets{}, axes{};
  std::uint64_t seed = 1;
  int limit = 50;
  std::string id{}, file_of_group{};
  int limit_of_group = 0;
  command root{"ridge", "An example"};

  example_program() {
    root.option("--store", store, "PATH", "Where results are");
    root.add("run", "Runs")
        .option("TARGETS", targets, "TARGET", "What is run")
        .option("--axis", axes, "AXIS=VALUES", "Values (repeats)")
        .option("--seed", seed, "N", "Seed")
        .runs([] { return 0; });
    root.add("history", "Shows")
        .option("ID", id, "ID", "Of what")
        .option("--limit", limit, "N", "How many")
        .runs([] { return 0; });
    auto& plan = root.add("plan", "A group");
    plan.needs_command();
    plan.add("gpus", "Lists GPUs").runs([] { return 0; });
    auto& trace = root.add("trace", "A group that also does something itself");
    trace.option("FILE", file_of_group, "FILE", "A trace").option("--limit", limit_of_group, "N", "How many");
    trace.add("kernels", "Lists kernels")
        .option("NAME", id, "NAME", "A trace")
        .option("--limit", limit, "N", "How many")
        .runs([] { return 0; });
  }
  parsed_line operator()(const std::vector<std::string>& words) { return parse(root, words); }
};

TEST(parser, a_positional_argument_is_never_a_command) {
  example_program program;
  const auto line = program({"history", "run"});
  EXPECT_EQ(line.kind, line_kind::action);
  EXPECT_EQ(line.path, "ridge history");
  EXPECT_EQ(program.id, "run");
}

TEST(parser, options_may_stand_before_targets_and_between_them) {
  example_program program;
  const auto line = program({"run", "--axis", "n=1", "ch01.copy", "--axis=m=2", "ch01.sum"});
  EXPECT_EQ(line.kind, line_kind::action);
  EXPECT_THAT(program.axes, ElementsAre("n=1", "m=2"));
  EXPECT_THAT(program.targets, ElementsAre("ch01.copy", "ch01.sum"));
}

TEST(parser, options_of_the_program_may_stand_before_and_behind_the_command) {
  example_program program;
  EXPECT_EQ(program({"--store", "history", "run", "all"}).path, "ridge run");
  EXPECT_EQ(program.store, "history");
  EXPECT_EQ(program({"run", "--store=here", "all"}).kind, line_kind::action);
  EXPECT_EQ(program.store, "here");
}

TEST(parser, what_is_no_whole_number_or_outside_its_type_is_refused) {
  for (const auto* const text : {"-1", "100000000000000000000"}) {
    example_program program;
    const auto line = program({"run", "--seed", text});
    ASSERT_EQ(line.kind, line_kind::wrong) << text;
    EXPECT_THAT(line.wrong->message, HasSubstr("from 0 to 18446744073709551615")) << text;
  }
  for (const auto* const text : {"1.5", "abc", ""}) {
    example_program program;
    const auto line = program({"run", "--seed", text});
    ASSERT_EQ(line.kind, line_kind::wrong) << text;
    EXPECT_THAT(line.wrong->message, HasSubstr(std::string("expects a whole number, not \"") + text + '"'));
  }
  example_program program;
  EXPECT_EQ(program({"run", "--seed", "18446744073709551615"}).kind, line_kind::action);
  EXPECT_EQ(program.seed, UINT64_MAX);
  EXPECT_EQ(program({"history", "--limit", "-3"}).kind, line_kind::action);
  EXPECT_EQ(program.limit, -3);
  EXPECT_EQ(program({"history", "--limit", "3000000000"}).kind, line_kind::wrong);
}

TEST(parser, a_group_needs_one_of_its_commands) {
  example_program program;
  EXPECT_EQ(program({"plan", "gpus"}).path, "ridge plan gpus");
  EXPECT_THAT(program({"plan"}).wrong->message, HasSubstr("`ridge plan` needs one of its commands"));
  EXPECT_THAT(program({"plan", "gpu"}).wrong->text(), HasSubstr("gpus"));
  EXPECT_EQ(program({"plan", "--help"}).kind, line_kind::help);
}

TEST(parser, options_of_the_innermost_command_hide_those_of_its_group) {
  example_program program;
  EXPECT_EQ(program({"trace", "kernels", "a.json", "--limit", "7"}).kind, line_kind::action);
  EXPECT_EQ(program.id, "a.json");
  EXPECT_EQ(program.limit, 7);
  EXPECT_EQ(program.limit_of_group, 0);
}

TEST(parser, unknown_words_are_named_with_the_nearest_known_one) {
  example_program program;
  EXPECT_THAT(program({"rum"}).wrong->text(), HasSubstr("\"run\""));
  EXPECT_THAT(program({"run", "--sed", "3"}).wrong->text(), HasSubstr("--seed"));
  EXPECT_THAT(program({"history", "one", "two"}).wrong->message, HasSubstr("takes no argument \"two\""));
}

}  // namespace
}  // namespace ridge::app
