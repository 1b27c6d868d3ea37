// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <gmock/gmock.h>

#include <ridge/app/command_group.hpp>
#include <ridge/results/analysis.hpp>

#include "command_run.hpp"

namespace ridge::app_results {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using texts = std::vector<std::pair<std::string, std::string>>;

texts known_texts() {
  texts all;
  for (const auto& group : app::known_groups()) {
    if (group.name != "results") continue;
    for (const auto& known : group.commands) all.emplace_back(known.name, known.summary);
  }
  return all;
}

TEST(app_results_commands, are_those_that_the_program_lists_without_opening_the_group) {
  app::context program;
  texts own;
  for (const auto& one : commands(program)) own.emplace_back(one.name(), one.summary());
  EXPECT_THAT(own, testing::ContainerEq(known_texts()));
}

TEST(app_results_commands, every_parameter_of_an_analysis_is_an_option_of_its_command) {
  app::context program;
  const auto made = commands(program);
  for (const auto& one : results::analyses()) {
    const auto found = std::ranges::find(made, one.command, &app::command::name);
    ASSERT_NE(found, made.end()) << one.command;
    for (const auto& p : one.parameters) {
      const auto name = "--" + std::string(p.key);
      EXPECT_TRUE(std::ranges::any_of(found->options(), [&](const auto& o) { return o.names == name; }))
          << one.name << " lacks " << name;
    }
  }
}

TEST(app_results_commands, analyze_prints_the_analyses_that_are_chosen_in_every_format) {
  const imported_store in;
  const auto text = in.run("analyze --leaderboards --goal speed");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("Speed: time of a call"), Not(HasSubstr("Memory:"))));
  EXPECT_EQ(in.run("analyze --only leaderboards --goal speed").out, text.out);
  EXPECT_THAT(in.run("analyze --only leaderboards --json").out,
              AllOf(HasSubstr("\"schema\": \"ridge.analyses/1\""),
                    HasSubstr("\"schema\": \"ridge.leaderboards/1\""), HasSubstr("\"workload\": \"ch08.")));
  EXPECT_THAT(in.run("analyze --leaderboards --csv").out, testing::StartsWith("workload,machine,backend"));
}

TEST(app_results_commands, the_argument_chooses_experiments_as_the_option_does) {
  const imported_store in;
  const auto one = in.run("analyze ch07.* --leaderboards --json").out;
  EXPECT_EQ(one, in.run("analyze --experiment ch07.* --leaderboards --json").out);
  EXPECT_EQ(one, in.run("analyze ch7 --leaderboards --json").out);
  EXPECT_THAT(one, AllOf(HasSubstr("\"workload\": \"ch07."), Not(HasSubstr("ch08."))));
}

TEST(app_results_commands, the_name_of_an_analysis_chooses_it_as_its_option_does) {
  const imported_store in;
  const auto one = in.run("analyze pareto --experiment ch07.* --json").out;
  EXPECT_EQ(one, in.run("analyze ch07.* --pareto --json").out);
  EXPECT_THAT(one,
              AllOf(HasSubstr("\"workload\": \"ch07."), HasSubstr("pareto"), Not(HasSubstr("leaderboards"))));
}

struct refusal {
  std::string line{}, named{};
};

TEST(app_results_commands, refuse_what_cannot_be_asked_and_say_what_can) {
  const imported_store in;
  for (const auto& [line, named] : std::vector<refusal>{
           {"analyze --only leaderboard", "did you mean \"leaderboards\"?"},
           {"analyze --top 0", "top must be a whole number above 0"},
           {"analyze --goal fast", "one of all, speed"},
           {"analyze --backend tpu", "cpu"},
           {"analyze --json --csv", "--json and --csv"},
           {"analyze ch07 --experiment ch08", "given twice"},
           {"analyze --plot chart.pdf", "not an .svg or .png file"},
           {"analyze ch99.nothing", "ch99.nothing"},
       }) {
    const auto seen = in.run(line);
    EXPECT_EQ(seen.code, 64) << line;
    EXPECT_THAT(seen.err, HasSubstr(named)) << line;
    EXPECT_EQ(seen.out, "") << line;
  }
}

TEST(app_results_commands, without_a_store_they_name_the_command_that_makes_one) {
  const auto seen = run_line("analyze --store " + std::string(testing::TempDir()) + "/no_such_store.db");
  EXPECT_EQ(seen.code, 69);
  EXPECT_THAT(seen.err, HasSubstr("`ridge run` will create"));
}

}  // namespace
}  // namespace ridge::app_results
