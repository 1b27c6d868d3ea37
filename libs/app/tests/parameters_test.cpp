// SPDX-License-Identifier: Apache-2.0
#include "programs/parameters.hpp"

#include <gtest/gtest.h>

#include "programs/command_words.hpp"
#include "programs/hyperfine_files.hpp"
#include "programs/program_plan.hpp"

namespace ridge::app {
namespace {

std::vector<std::string> texts(const parameter& one) {
  std::vector<std::string> all;
  for (const auto& value : one.values) all.push_back(with_values("{" + one.name + "}", {{one.name, value}}));
  return all;
}

TEST(parameters, a_scan_holds_its_ends_and_decimal_steps_stay_decimal) {
  EXPECT_EQ(texts(*scanned("n", "1", "4", "1")), (std::vector<std::string>{"1", "2", "3", "4"}));
  EXPECT_EQ(texts(*scanned("n", "1", "4", "2")), (std::vector<std::string>{"1", "3"}));
  EXPECT_EQ(texts(*scanned("n", "0.1", "0.5", "0.1")),
            (std::vector<std::string>{"0.1", "0.2", "0.3", "0.4", "0.5"}));
  EXPECT_EQ(texts(*scanned("n", "-2", "0", "1")), (std::vector<std::string>{"-2", "-1", "0"}));
  EXPECT_EQ(texts(*scanned("n", "1e-3", "3e-3", "1e-3")),
            (std::vector<std::string>{"0.001", "0.002", "0.003"}));
  EXPECT_EQ(texts(*scanned("n", "1.5E-1", "4e-1", "1e-1")),
            (std::vector<std::string>{"0.15", "0.25", "0.35"}));
  EXPECT_EQ(texts(*scanned("n", "1e2", "3e+2", "1e+2")), (std::vector<std::string>{"100", "200", "300"}));
  EXPECT_EQ(scanned("n", "1e-320", "3e-320", "1e-320")->values.size(), 3u);
  EXPECT_EQ(texts(*scanned("n", "1e300", "1e300", "1e-300")), (std::vector<std::string>{"1e+300"}));
}

TEST(parameters, a_scan_that_cannot_be_is_refused) {
  EXPECT_FALSE(scanned("n", "1", "x", "1"));
  EXPECT_FALSE(scanned("n", "5", "1", "1"));
  EXPECT_FALSE(scanned("n", "1", "5", "0"));
  EXPECT_FALSE(scanned("n", "1", "5", "-1"));
  EXPECT_FALSE(scanned("n", "0", "1e9", "1"));
  EXPECT_FALSE(scanned("n", "0", "inf", "1"));
  EXPECT_FALSE(scanned("", "1", "5", "1"));
  EXPECT_FALSE(listed("", "a,b"));
}

TEST(parameters, a_list_keeps_words_and_escaped_commas) {
  const auto list = listed("c", "gcc,clang\\,16,8");
  EXPECT_EQ(texts(*list), (std::vector<std::string>{"gcc", "clang,16", "8"}));
  EXPECT_EQ(list->values[2], model::axis_value(std::int64_t{8}));
}

TEST(parameters, all_combinations_are_taken_and_a_value_is_not_replaced_again) {
  const auto points = points_of({*listed("a", "1,2"), *listed("b", "x,y,z")});
  ASSERT_EQ(points.size(), 6u);
  EXPECT_EQ(with_values("{a}{b} {a}", points[1]), "1y 1");
  EXPECT_EQ(points_of({}).size(), 1u);
  EXPECT_EQ(with_values("{a}", {{"a", std::string("{a}")}}), "{a}");
}

TEST(command_words, are_those_of_a_shell) {
  EXPECT_EQ(*command_words("  a 'b c'  \"d \\\" e\" f\\ g '' h'i'j "),
            (std::vector<std::string>{"a", "b c", "d \" e", "f g", "", "hij"}));
  EXPECT_EQ(*command_words("grep '|;$' \"x\\y\""), (std::vector<std::string>{"grep", "|;$", "x\\y"}));
}

TEST(command_words, what_needs_a_shell_names_the_option) {
  for (const auto* line : {"a | b", "a > b", "a; b", "echo $HOME", "a `b`"}) {
    const auto words = command_words(line);
    ASSERT_FALSE(words) << line;
    EXPECT_NE(words.why().remedy.find("--shell"), std::string::npos) << line;
  }
  EXPECT_FALSE(command_words("a 'b"));
  EXPECT_FALSE(command_words("  "));
}

TEST(program_plan, lines_before_runs_are_one_or_one_for_each_program) {
  program_options o{.lines = {"a", "b"}, .prepare = {"p"}};
  EXPECT_EQ(problems_of(o)->front().programs[1].prepare, "p");
  o.prepare = {"p", "q"};
  EXPECT_EQ(problems_of(o)->front().programs[1].prepare, "q");
  o.lines.emplace_back("c");
  EXPECT_FALSE(problems_of(o));
}

TEST(program_plan, a_parameter_that_no_line_holds_is_refused_and_equal_names_are_numbered) {
  program_options o{.lines = {"a {n}", "a 1"}, .scan = {"n", "1", "2"}};
  const auto problems = problems_of(o);
  ASSERT_TRUE(problems);
  ASSERT_EQ(problems->size(), 2u);
  EXPECT_EQ((*problems)[0].programs[1].name, "a 1 (#2)");
  EXPECT_EQ((*problems)[1].programs[0].words, (std::vector<std::string>{"a", "2"}));
  o.scan = {"m", "1", "2"};
  EXPECT_FALSE(problems_of(o));
  o.scan = {"n", "1", "2"};
  o.lists = {"n", "3,4"};
  ASSERT_FALSE(problems_of(o));
  EXPECT_NE(problems_of(o).why().message.find("{n} is given twice"), std::string::npos);
}

TEST(program_plan, a_parameter_may_stand_wherever_it_is_replaced) {
  const program_options base{.lines = {"a"}, .scan = {"n", "1", "2"}};
  EXPECT_FALSE(problems_of(base));
  for (const auto member : {&program_options::setup, &program_options::prepare, &program_options::conclude,
                            &program_options::cleanup, &program_options::output, &program_options::names}) {
    auto o = base;
    (o.*member) = {"x{n}"};
    EXPECT_TRUE(problems_of(o));
  }
  auto o = base;
  o.reference = "b {n}";
  EXPECT_TRUE(problems_of(o));
  o = base;
  o.words = {{"c", "{n}"}};
  EXPECT_TRUE(problems_of(o));
}

TEST(program_plan, a_shell_gets_the_whole_line) {
  program_options o{.lines = {"a | b"}, .shell = "bash -e"};
  EXPECT_EQ(problems_of(o)->front().programs[0].words,
            (std::vector<std::string>{"bash", "-e", "-c", "a | b"}));
  o.no_shell = true;
  EXPECT_FALSE(problems_of(o));
}

TEST(hyperfine_files, hold_means_and_deviations_of_the_runs) {
  const std::vector<program_result> results{
      {"a \"b\", c", {{"n", std::int64_t{7}}}, {{1, 0.5, 0.25, 1024, 0}, {3, 1.5, 0.75, 2048, 1}}}};
  EXPECT_EQ(hyperfine_csv(results),
            "command,mean,stddev,median,user,system,min,max,parameter_n\n"
            "\"a \"\"b\"\", c\",2,1.4142135623730951,2,1,0.5,1,3,7\n");
  const auto json = hyperfine_json(results);
  for (const auto* part : {"\"mean\": 2", "\"times\": [1, 3]", "\"exit_codes\": [0, 1]", "\"n\": \"7\""})
    EXPECT_NE(json.find(part), std::string::npos) << part << " in " << json;
}

}  // namespace
}  // namespace ridge::app
