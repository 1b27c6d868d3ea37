// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::size_t lines_in(const std::filesystem::path& file) {
  const auto text = contents(file);
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST(bench, every_value_of_a_parameter_is_a_problem_of_the_run) {
  const scene in;
  const auto seen = in.ridge(
      "bench --runs 6 --warmup 0 'sleep 0.00{n}' 'sleep {t}' --parameter-scan n 1 2 --parameter-list t "
      "0.001,0.002 "
      "--format json");
  ASSERT_EQ(seen.code, 0) << seen.err;
  const auto families = json::parse(seen.out).at("families");
  ASSERT_EQ(families.size(), 4u);
  EXPECT_EQ(families.at(1).at("problem"), json({{"n", 1}, {"t", "0.002"}}));
  EXPECT_EQ(families.at(3).at("measurements").at(0).at("variant"), "sleep 0.002");
  EXPECT_EQ(families.at(0).at("rounds"), 6);
}

TEST(bench, a_number_of_runs_is_kept_and_bounds_are_obeyed) {
  const scene in;
  const auto rounds = [&](const std::string& words) {
    const auto seen = in.ridge("bench " + words + " --format json -- sleep 0.002 -- sleep 0.02");
    EXPECT_EQ(seen.code, 0) << seen.err;
    return json::parse(seen.out).at("families").at(0).at("rounds").get<int>();
  };
  EXPECT_EQ(rounds("--runs 9"), 9);
  EXPECT_LE(rounds("--max-runs 12 --budget 20s"), 12);
  EXPECT_GE(rounds("--min-runs 30 --budget 100ms"), 30);
  EXPECT_EQ(in.ridge("bench --runs 3 -- true").code, 64);
}

TEST(bench, a_program_alone_is_run_as_often_as_others) {
  const scene in;
  ASSERT_EQ(in.ridge("bench --runs 12 --export-json t.json -- sleep 0.001").code, 0);
  const auto results = json::parse(contents(in.folder() / "t.json")).at("results");
  EXPECT_EQ(results.at(0).at("times").size(), 12u);
}

TEST(bench, lines_run_around_programs_as_often_as_they_should) {
  const scene in;
  const auto seen = in.ridge(
      "bench --runs 7 --warmup 1 --setup 'echo s >>setup' --prepare 'echo a >>a' --prepare 'echo b{n} >>b' "
      "--conclude 'echo c >>c' --cleanup 'echo d >>d' -L n 1,2 'test -s a' 'test -s b{n} -o 1'");
  ASSERT_EQ(seen.code, 0) << seen.err;
  EXPECT_EQ(lines_in(in.folder() / "setup"), 2u);
  EXPECT_EQ(lines_in(in.folder() / "d"), 2u);
  EXPECT_EQ(lines_in(in.folder() / "a"), lines_in(in.folder() / "b"));
  EXPECT_EQ(lines_in(in.folder() / "c"), 2 * lines_in(in.folder() / "a"));
  EXPECT_GE(lines_in(in.folder() / "a"), 2 * 8u);
}

TEST(bench, what_was_begun_is_cleaned_up_when_a_line_or_a_program_fails) {
  const std::string lines = " --conclude 'echo c >>c' --cleanup 'echo d >>d' ";
  for (const auto& [words, failed, concluded] :
       {std::tuple{"--setup 'exit 3' true", "--setup \"exit 3\" ended with status 3", false},
        {"--prepare 'exit 4' true", "--prepare \"exit 4\" ended with status 4", true},
        {"--setup 'echo s >>s' false", "\"false\" ended with status 1", true}}) {
    const scene in;
    const auto seen = in.ridge("bench" + lines + words);
    EXPECT_EQ(seen.code, 2) << words;
    EXPECT_THAT(seen.err, HasSubstr(failed)) << words;
    EXPECT_EQ(std::filesystem::exists(in.folder() / "c"), concluded) << words;
    EXPECT_EQ(std::filesystem::exists(in.folder() / "d"), true) << words;
  }
  const scene in;
  const auto both = in.ridge("bench --setup 'exit 3' --cleanup 'exit 5' true");
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err,
              HasSubstr("--setup \"exit 3\" ended with status 3; --cleanup \"exit 5\" ended with status 5"));
}

// The program is interrupted by one that it measures, at the second problem.
TEST(bench, an_interrupt_of_a_later_problem_keeps_what_was_finished_as_it_was) {
  const scene in;
  const auto seen = in.ridge(
      "bench --shell sh --runs 6 --warmup 0 'test {n} -eq 1 || kill -INT $PPID; sleep 0.01' -L n 1,2,3 "
      "--save "
      "run.json");
  EXPECT_EQ(seen.code, 130) << seen.err;
  const auto families = json::parse(contents(in.folder() / "run.json")).at("families");
  ASSERT_EQ(families.size(), 1u);
  EXPECT_EQ(families.at(0).at("problem"), json({{"n", 1}}));
  EXPECT_EQ(families.at(0).at("rounds"), 6);
}

TEST(bench, lines_that_clean_up_run_to_their_end_after_an_interrupt) {
  const scene in;
  const auto seen = in.ridge(
      "bench --shell sh --prepare 'echo a >>a' --conclude 'sleep 0.5; echo c >>c' --cleanup 'sleep 0.7; echo "
      "d "
      ">>d' 'kill -INT $PPID; sleep 5'");
  EXPECT_EQ(seen.code, 130) << seen.err;
  EXPECT_EQ(lines_in(in.folder() / "c"), lines_in(in.folder() / "a"));
  EXPECT_EQ(lines_in(in.folder() / "d"), 1u);
}

TEST(bench, a_clean_up_that_fails_after_an_interrupt_is_told_and_results_are_kept) {
  const scene in;
  const auto seen = in.ridge(
      "bench --shell sh --runs 6 --warmup 0 'test {n} -eq 1 || kill -INT $PPID; sleep 0.01' -L n 1,2 "
      "--cleanup 'exit {n}' --cleanup 'true' --format json");
  EXPECT_EQ(seen.code, 2) << "the clean-up of the first problem fails, before any interrupt";
  const auto kept = in.ridge(
      "bench --shell sh --runs 6 --warmup 0 'test {n} -eq 1 || kill -INT $PPID; sleep 0.01' -L n 1,2 "
      "--cleanup 'test {n} -eq 1' --format json");
  EXPECT_EQ(kept.code, 130) << kept.err;
  EXPECT_THAT(kept.err, HasSubstr("--cleanup \"test 2 -eq 1\" ended with status 1"));
  EXPECT_EQ(json::parse(kept.out).at("families").size(), 1u);
}

TEST(bench, a_shell_runs_pipelines_and_its_start_is_stated) {
  const scene in;
  const auto without = in.ridge("bench 'echo a | wc -c'");
  EXPECT_EQ(without.code, 64);
  EXPECT_THAT(without.err, HasSubstr("--shell sh"));
  const auto with = in.ridge("bench --runs 6 --shell sh 'echo a | grep -q a' 'exit 0'");
  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_THAT(with.out, HasSubstr("Every time includes the start of the shell (sh), which takes"));
}

TEST(bench, only_chosen_failures_are_ignored) {
  const scene in;
  EXPECT_EQ(in.ridge("bench --runs 6 -- false").code, 2);
  EXPECT_EQ(in.ridge("bench --runs 6 --ignore-failure -- false").code, 0);
  EXPECT_EQ(in.ridge("bench --runs 6 --ignore-failure=1,3 -- false").code, 0);
  EXPECT_EQ(in.ridge("bench --runs 6 --ignore-failure=2 -- false").code, 2);
  EXPECT_EQ(in.ridge("bench --runs 6 --ignore-failure=x -- false").code, 64);
}

TEST(bench, programs_read_and_write_files) {
  const scene in;
  { std::ofstream(in.folder() / "in") << "seven\n"; }
  const auto seen = in.ridge("bench --runs 6 --input in --output out1 --output out2 cat 'tr s S'");
  ASSERT_EQ(seen.code, 0) << seen.err;
  EXPECT_EQ(contents(in.folder() / "out1"), "seven\n");
  EXPECT_EQ(contents(in.folder() / "out2"), "Seven\n");
  EXPECT_EQ(in.ridge("bench --runs 6 --input missing cat").code, 74);
  EXPECT_EQ(in.ridge("bench --runs 6 --output inherit --format json cat").code, 64);
}

TEST(bench, names_and_exports_are_those_of_hyperfine) {
  const scene in;
  const auto seen = in.ridge(
      "bench --runs 6 -n slow -n fast --export-json t.json --export-csv t.csv --export-markdown t.md "
      "-- sleep 0.01 -- true");
  ASSERT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("slow"));
  const auto results = json::parse(contents(in.folder() / "t.json")).at("results");
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results.at(0).at("command"), "slow");
  EXPECT_EQ(results.at(1).at("times").size(), 6u);
  EXPECT_GE(results.at(0).at("mean").get<double>(), 0.01);
  EXPECT_THAT(contents(in.folder() / "t.csv"), HasSubstr("command,mean,stddev"));
  EXPECT_THAT(contents(in.folder() / "t.md"), HasSubstr("| fast"));
  EXPECT_EQ(in.ridge("bench --export-csv /nonexistent/t.csv -- true").code, 74);
}

TEST(bench, events_are_counted_or_the_reason_is_given) {
  const scene in;
  const auto seen = in.ridge("bench --runs 6 --event page-faults,cycles --format json -- true");
  ASSERT_EQ(seen.code, 0) << seen.err;
  const auto family = json::parse(seen.out).at("families").at(0);
  const auto all = family.dump();
  for (const auto* event : {"page-faults", "cycles"}) {
    const bool counted =
        family.at("measurements").at(0).at("metrics").dump().find(event) != std::string::npos;
    const bool refused = family.at("checks").dump().find(std::string("event ") + event) != std::string::npos;
    EXPECT_NE(counted, refused) << event << " in " << all;
  }
  const auto unknown = in.ridge("bench --event cyles -- true");
  EXPECT_EQ(unknown.code, 64);
  EXPECT_THAT(unknown.err, HasSubstr("branch-misses"));
}

}  // namespace
}  // namespace ridge::cli
