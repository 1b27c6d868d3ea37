// SPDX-License-Identifier: Apache-2.0
// What runs print, and what is made of stored and saved ones.
#include <algorithm>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/text.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(output, several_experiments_print_a_line_each_and_show_prints_their_tables) {
  const scene in;
  const auto seen = in.ridge("run ch01.batch_size_sweep ch01.graph_launch --profile minimal");
  ASSERT_EQ(seen.code, 0) << seen.err;
  const auto lines = split(seen.out, '\n');
  const auto starting = [&](std::string_view word) {
    return std::ranges::count_if(lines, [&](std::string_view line) { return line.starts_with(word); });
  };
  EXPECT_EQ(starting("batch_size_sweep  "), 1) << seen.out;
  EXPECT_EQ(starting("graph_launch  "), 1) << seen.out;
  EXPECT_THAT(seen.out, Not(HasSubstr("assurance"))) << "the tables are for --verbose and `ridge show`";
  EXPECT_LE(lines.size(), 40u);
  const auto tables = in.ridge("show last");
  EXPECT_EQ(tables.code, 0) << tables.err;
  EXPECT_THAT(tables.out, HasSubstr("noise floor"));
  EXPECT_THAT(tables.out, HasSubstr("ch01.graph_launch ·"));
  const auto one = in.ridge("show last graph_launch");
  EXPECT_THAT(one.out, HasSubstr("ch01.graph_launch ·"));
  EXPECT_THAT(one.out, Not(HasSubstr("ch01.batch_size_sweep ·")));
  EXPECT_EQ(in.ridge("show last coalescing").code, 64);
  EXPECT_EQ(in.ridge("show nosuchrun").code, 64);
}

TEST(output, an_experiment_that_the_budget_left_out_has_a_line_that_says_so) {
  const scene in;
  const auto seen = in.ridge("run ch01.batch_size_sweep ch01.graph_launch --profile minimal --budget 50ms");
  EXPECT_THAT(seen.out, ContainsRegex("graph_launch .*not measured"));
}

TEST(output, one_experiment_prints_its_tables_as_verbose_does) {
  const scene in;
  EXPECT_THAT(in.ridge(quick).out, HasSubstr("noise floor"));
}

TEST(output, a_dry_run_prints_what_would_be_measured_and_measures_nothing) {
  const scene in;
  const auto seen = in.ridge(
      "run ch01.coalescing ch01.graph_launch --backend cpu --axis stride=2 --axis elements=2^10,2^12 "
      "--dry-run");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, ContainsRegex("ch01.coalescing +cpu +2 +[0-9]"));
  EXPECT_THAT(seen.out, ContainsRegex("ch01.graph_launch +cpu +[0-9]+ +[0-9]"));
  EXPECT_THAT(seen.out, HasSubstr("Nothing was measured."));
  EXPECT_THAT(seen.out, Not(HasSubstr("budget")));
  EXPECT_EQ(in.ridge("history --runs").out, "");
  EXPECT_THAT(in.ridge("run ch01 --budget 1s --dry-run").out, HasSubstr("the budget is 1 s"));
  EXPECT_EQ(in.ridge("run nosuch --dry-run").code, 64);
}

TEST(output, verbose_prints_the_tables_of_several_experiments) {
  const scene in;
  const auto seen = in.ridge(
      "run ch01.batch_size_sweep ch01.graph_launch --profile minimal --budget 60s --verbose --no-store");
  EXPECT_EQ(seen.code, 0) << seen.err;
  for (const auto* heading : {"ch01.batch_size_sweep ·", "ch01.graph_launch ·", "noise floor", "assurance"})
    EXPECT_THAT(seen.out, HasSubstr(heading));
}

TEST(output, plots_and_pages_are_made_from_stored_and_saved_runs) {
  const scene in;
  const auto swept = in.ridge(
      "run ch01.coalescing --axis stride=2 --axis elements=2^10,2^12 --variant contiguous --budget 30s "
      "--save swept.json");
  ASSERT_EQ(swept.code, 0) << swept.err;
  const auto sweep = in.ridge("plot last");
  EXPECT_EQ(sweep.code, 0) << sweep.err;
  EXPECT_THAT(sweep.out, HasSubstr("over elements"));
  EXPECT_THAT(sweep.out, HasSubstr("contiguous"));
  EXPECT_THAT(in.ridge("plot swept.json --kind distribution").out, HasSubstr("samples of each variant"));
  EXPECT_THAT(in.ridge("plot ch01.coalescing --kind history").out, HasSubstr("over 1 run"));
  EXPECT_EQ(in.ridge("plot swept.json -o plot.svg").code, 0);
  EXPECT_THAT(contents(in.folder() / "plot.svg"), HasSubstr("<svg"));
  const auto drawn = in.ridge("plot swept.json -o plot.png");
  if (drawn.code == 0) {
    EXPECT_EQ(contents(in.folder() / "plot.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
  } else {  // the libraries that draw are optional
    EXPECT_EQ(drawn.code, 69) << drawn.err;
    EXPECT_THAT(drawn.err, HasSubstr("apt install librsvg2-2"));
    EXPECT_FALSE(std::filesystem::exists(in.folder() / "plot.png"));
  }
  EXPECT_EQ(in.ridge("plot last -o plot.pdf").code, 64);
  EXPECT_EQ(in.ridge("plot last -o /nonexistent/plot.svg").code, 74);
  EXPECT_EQ(in.ridge("plot nosuch").code, 64);
  EXPECT_EQ(in.ridge("report swept.json -o page.html").code, 0);
  const auto page = contents(in.folder() / "page.html");
  EXPECT_THAT(page, HasSubstr("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("ridge run ch01.coalescing"));
  EXPECT_EQ(in.ridge("report last").out, page);
  EXPECT_EQ(in.ridge("report nosuch").code, 64);
  EXPECT_EQ(in.ridge("report missing.json").code, 74);
  EXPECT_EQ(in.ridge("export missing.json").code, 74);
  EXPECT_EQ(in.ridge("export swept.json --format csv").code, 0);
}

TEST(output, runs_are_named_in_every_command_alike) {
  const scene in;
  ASSERT_EQ(in.ridge(std::string(quick) + "--save one.json").code, 0);
  ASSERT_EQ(in.ridge(std::string(quick)).code, 0);
  const auto ids = in.ridge("history --runs").out;
  const auto last = ids.substr(0, 26), first = ids.substr(27, 26);
  EXPECT_EQ(in.ridge("roofline last --csv").code, 0);
  EXPECT_EQ(in.ridge("compare last " + first).code, 3);
  EXPECT_EQ(in.ridge("compare one.json " + last.substr(20)).code, 3);
  for (const auto* command : {"show", "plot", "report", "roofline", "export", "compare last"}) {
    const auto seen = in.ridge(std::string(command) + " missing.json");
    EXPECT_EQ(seen.code, 74) << command;
    EXPECT_THAT(seen.err, HasSubstr("cannot read missing.json")) << command;
  }
  const auto begin = first.substr(0, 4);
  for (const auto* command : {"show", "plot", "report", "roofline", "compare last"}) {
    const auto seen = in.ridge(std::string(command) + ' ' + begin);
    EXPECT_EQ(seen.code, 64) << command;
    EXPECT_THAT(seen.err, HasSubstr("'" + begin + "' could be " + first + ", " + last)) << command;
  }
}

TEST(output, history_runs_keeps_to_the_experiment_and_the_filters) {
  const scene in;
  ASSERT_EQ(in.ridge(std::string(quick)).code, 0);
  EXPECT_EQ(in.ridge("history ch01.coalescing --runs").out.size(), 27u);
  EXPECT_EQ(in.ridge("history ch01 --runs --variant contiguous").out.size(), 27u);
  EXPECT_EQ(in.ridge("history ch01.graph_launch --runs").out, "");
  EXPECT_EQ(in.ridge("history ch01 --runs --variant other").out, "");
  EXPECT_EQ(in.ridge("history nosuch --runs").code, 64);
  EXPECT_EQ(in.ridge("plot ch01 --kind history").code, 0) << "a chapter, as `ridge history ch01`";
}

TEST(output, what_needs_a_store_exits_69_where_there_is_none) {
  const scene in;
  for (const auto* words :
       {"plot", "report", "export", "plot ch01 --kind history", "show last", "roofline last"})
    EXPECT_EQ(in.ridge(words).code, 69) << words;
}

}  // namespace
}  // namespace ridge::cli
