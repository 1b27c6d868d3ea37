// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/base/sanitized.hpp>
#include <ridge/base/text.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* quick_in_processes =
    "run ch01.coalescing --axis stride=2 --axis elements=2^12 --variant contiguous --budget 60s --forks 2 ";

// Takes one warning that figures of this build do not count off the front of what was told.
std::string without_warning_of_build(const std::string& told) {
  if (!told.starts_with("ridge: this build is ")) return told;
  EXPECT_THAT(told, HasSubstr("its figures are not those of an optimized build"));
  return told.substr(told.find('\n') + 1);
}

TEST(cli, wrong_names_exit_64_and_suggest_the_nearest) {
  const scene in;
  for (const auto& [words, nearest] : {std::pair{"lst", "list"},
                                       {"run ch01.colescing", "ch01.coalescing"},
                                       {"run ch01 --profle minimal", "--profile"},
                                       {"run ch01 --profile minmal", "minimal"},
                                       {"run ch01 --mode grph", "graph"},
                                       {"run ch01.coalescing --axis strid=2", "stride"},
                                       {"run ch01.coalescing --variant contigous", "contiguous"},
                                       {"compare ch01.coalescing:stridd ch01.coalescing:tiled", "strided"},
                                       {"run ch01 --fail-on wors", "worse"}}) {
    const auto seen = in.ridge(words);
    EXPECT_EQ(seen.code, 64) << words;
    EXPECT_THAT(seen.err, HasSubstr(std::string("did you mean \"") + nearest + "\"?")) << words;
    EXPECT_THAT(seen.err, Not(HasSubstr("not built"))) << words;
    EXPECT_EQ(seen.out, "") << words;
  }
}

TEST(cli, what_cannot_be_right_is_refused_before_anything_is_measured) {
  const scene in;
  for (const auto& [words, complaint] :
       {std::pair{"run verify", "no experiment, chapter or tag is called \"verify\""},
        {"run ch01.coalescing --seed -1", "expects a whole number from 0 to"},
        {"run ch01.coalescing --budget 0", "not a valid duration"},
        {"run", "no target given"},
        {"compare ch01.coalescing", "name two variants"},
        {"compare ch01.coalescing:strided ch01.coalescing:tiled --min-effect much",
         "\"much\" is not a valid percentage"},
        {"new experiment Foo", "invalid experiment id \"Foo\""},
        {"peak --threads 0", "expects a number of threads from 1 to"},
        {"peak --threads -1", "expects a number of threads from 1 to"},
        {"peak --threads 100000", "expects a number of threads from 1 to"}}) {
    const auto seen = in.ridge(words);
    EXPECT_EQ(seen.code, 64) << words;
    EXPECT_THAT(seen.err, HasSubstr(complaint)) << words;
    EXPECT_EQ(seen.out, "") << words;
  }
  EXPECT_THAT(in.ridge("list --help").out, HasSubstr("only experiments with this goal"));
}

TEST(cli, a_folder_in_the_place_of_a_file_exits_74_and_is_called_one) {
  const scene in;
  for (const auto* words :
       {"verify --results .", "export ./", "report ./", "show ./", "import .", "peak --from ."}) {
    const auto seen = in.ridge(words);
    EXPECT_EQ(seen.code, 74) << words << ": " << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("is a folder")) << words;
    EXPECT_THAT(seen.err, HasSubstr("give a file written by `ridge ")) << words;
    EXPECT_EQ(seen.out, "") << words;
  }
}

TEST(cli, files_and_folders_that_cannot_be_used_exit_74_before_anything_is_measured) {
  const scene in;
  const auto unsaved = in.ridge(std::string(quick) + "--save /nonexistent/run.json");
  EXPECT_EQ(unsaved.code, 74);
  EXPECT_EQ(unsaved.out, "");
  EXPECT_THAT(unsaved.err, HasSubstr("/nonexistent/run.json"));
  for (const auto* words :
       {"compare ch01.coalescing:strided ch01.coalescing:contiguous --save /nonexistent/run.json",
        "bench --save /nonexistent/run.json -- true",
        "roofline --validate --output /nonexistent/chart.svg"}) {
    const auto seen = in.ridge(words);
    EXPECT_EQ(seen.code, 74) << words;
    EXPECT_EQ(seen.out, "") << words;
  }
  const auto homeless = in.ridge(quick, "TMPDIR=/nonexistent");
  EXPECT_EQ(homeless.code, 74);
  EXPECT_THAT(homeless.err, HasSubstr("set TMPDIR to a folder"));
}

TEST(cli, a_history_of_nothing_known_exits_64) {
  const scene in;
  ASSERT_EQ(in.ridge(quick).code, 0);
  EXPECT_EQ(in.ridge("history").code, 0);
  const auto seen = in.ridge("history nosuch");
  EXPECT_EQ(seen.code, 64);
  EXPECT_THAT(seen.err, HasSubstr("no experiment, chapter or tag is called \"nosuch\""));
}

TEST(cli, output_that_cannot_be_written_exits_74) {
  const scene in;
  for (const auto& words : {std::string(quick), std::string("export"), std::string("list")}) {
    const auto seen = in.ridge(words, "/bin/sh -c '\"$0\" \"$@\" >/dev/full'");
    EXPECT_EQ(seen.code, 74) << words;
    EXPECT_THAT(seen.err, HasSubstr("cannot write standard output: No space left on device")) << words;
  }
  EXPECT_THAT(in.ridge("history").out, HasSubstr("1 run")) << "what was measured is stored all the same";
}

TEST(cli, axes_may_stand_before_their_target) {
  const scene in;
  const auto seen =
      in.ridge("run --axis stride=2 --axis elements=2^12 ch01.coalescing --variant contiguous --budget 30s");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("stride=2 elements=2^12"));
}

TEST(cli, asking_for_a_missing_backend_exits_69) {
  const scene in;
  EXPECT_EQ(in.ridge("run ch01.coalescing --backend cuda").code, 69);
}

TEST(cli, a_pipe_gets_results_and_nothing_else) {
  const scene in;
  const auto seen = in.ridge(quick);
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_EQ(without_warning_of_build(seen.err), "");
  EXPECT_THAT(seen.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(seen.out, Not(HasSubstr("\r")));
  EXPECT_THAT(seen.out, HasSubstr("contiguous"));
}

// The flags are those that every run records; sanitizers are not among them.
TEST(cli, a_build_that_is_not_fully_optimized_says_so_once_where_it_times_and_not_where_it_verifies) {
  const scene in;
  const auto ran = in.ridge(std::string(quick) + "--format json --no-store");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto flags = json::parse(ran.out).at("environment").at("flags").get<std::string>();
  const auto last = flags.rfind("-O");
  const bool fully = last != std::string::npos && (flags[last + 2] == '2' || flags[last + 2] == '3');
  if (!fully) {
    EXPECT_THAT(ran.err, HasSubstr("`make run` builds one"));
    EXPECT_THAT(in.ridge("bench --budget 100ms -- true").err, HasSubstr("its figures are not those of"));
  }
  EXPECT_EQ(without_warning_of_build(ran.err), "") << "once";
  EXPECT_EQ(in.ridge("verify ch01.coalescing --backend cpu --axis stride=2 --axis elements=17").err, "");
}

TEST(cli, verify_takes_the_values_of_an_axis_as_run_does) {
  const scene in;
  const auto seen = in.ridge("verify ch01.coalescing --backend cpu --axis stride=2 --axis elements=16,17");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("2 problems"));
  const auto pieces = in.ridge("verify ch01.roofline_placement --backend cpu --axis kernel=dot --axis n=17");
  EXPECT_THAT(pieces.out, HasSubstr(" 1 problem"));
  EXPECT_THAT(pieces.out, Not(HasSubstr(" 0 problems"))) << "nothing is right where nothing was verified";
  const auto wrong = in.ridge("verify ch01.coalescing --axis stride=wide");
  EXPECT_EQ(wrong.code, 64);
  EXPECT_THAT(wrong.err, HasSubstr("axis \"stride\" expects whole numbers, got \"wide\""));
}

TEST(cli, color_always_paints_a_pipe) {
  const scene in;
  EXPECT_THAT(in.ridge("list --color always").out, HasSubstr("\x1b["));
  EXPECT_THAT(in.ridge("list").out, Not(HasSubstr("\x1b[")));
}

TEST(cli, json_of_every_command_is_one_object_with_its_schema) {
  const scene in;
  for (const auto& [words, schema] : {std::pair{"list --json", "ridge.catalogue/1"},
                                      {"show ch01.coalescing --json", "ridge.catalogue/1"},
                                      {"coverage --json", "ridge.coverage/1"},
                                      {"metrics --json", "ridge.metrics/1"},
                                      {"probe --json", "ridge.probe/1"},
                                      {"audit --json --fail-on never", "ridge.audit/1"},
                                      {"doctor --json", "ridge.doctor/1"}}) {
    const auto seen = in.ridge(words);
    EXPECT_EQ(seen.code, 0) << words;
    EXPECT_EQ(json::parse(seen.out).at("schema"), schema) << words;
  }
}

TEST(cli, probe_draws_a_tree_that_fits_a_pipe) {
  const scene in;
  const auto seen = in.ridge("probe");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_EQ(seen.err, "");
  EXPECT_THAT(seen.out, HasSubstr("├─ package 0"));
  EXPECT_THAT(seen.out, HasSubstr("└─ NUMA node 0"));
  EXPECT_THAT(seen.out, Not(HasSubstr("\x1b")));
  for (const auto line : split(seen.out, '\n')) EXPECT_LE(display_width(line), 100u) << line;
}

TEST(cli, no_tag_takes_an_experiments_short_name) {
  const scene in;
  const auto listed = json::parse(in.ridge("list --json").out);
  std::set<std::string> names;
  for (const auto& one : listed.at("experiments")) {
    const auto id = one.at("id").get<std::string>();
    names.insert(id.substr(id.rfind('.') + 1));
  }
  for (const auto& one : listed.at("experiments")) {
    for (const auto& tag : one.at("tags")) {
      EXPECT_FALSE(names.contains(tag.get<std::string>())) << one.at("id") << " has the tag " << tag;
    }
  }
}

TEST(cli, a_run_is_stored_read_back_and_recomputed) {
  const scene in;
  const auto ran = in.ridge(std::string(quick) + "--format json --save saved.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto run = json::parse(ran.out);
  EXPECT_EQ(run.at("schema"), "ridge.run/1");
  const auto past = json::parse(in.ridge("history ch01.coalescing --json").out);
  EXPECT_EQ(past.at("schema"), "ridge.history/1");
  EXPECT_EQ(past.at("comparisons").size(), run.at("comparisons").size());
  EXPECT_EQ(json::parse(in.ridge("export").out).at("id"), run.at("id"));
  EXPECT_EQ(in.ridge("verify --results saved.json").code, 0);
  EXPECT_EQ(json::parse(in.ridge("pack saved.json").out).at("command").at(0), "ridge")
      << "what is kept names no folder";
  EXPECT_THAT(in.ridge("show ch01.coalescing").out, HasSubstr("contiguous vs strided"));
  EXPECT_THAT(in.ridge("history ch01.coalescing").out,
              ContainsRegex("contiguous vs strided +time +[0-9.]+ [^ ]*s vs [0-9.]+ [^ ]*s +[0-9.]+"))
      << "the medians of both, in the order of their names";
  const auto family = run.at("families").at(0);
  for (const auto& m : family.at("measurements")) {
    const auto& compiled = m.at("compiled");
    EXPECT_THAT(compiled.at("flags").get<std::string>(), HasSubstr(compiled.at("level").get<std::string>()));
    EXPECT_THAT(compiled.at("source").get<std::string>(), HasSubstr("coalescing/"));
    EXPECT_NE(compiled.at("compiler"), "");
    EXPECT_THAT(in.ridge("show last").out, HasSubstr("compiled"));
  }
}

TEST(cli, a_saved_run_is_exported_and_imported) {
  const scene in;
  ASSERT_EQ(in.ridge(std::string(quick) + "--no-store --save saved.json").code, 0);
  const auto printed = in.ridge("export saved.json --format jsonl");
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_THAT(printed.out, HasSubstr("ridge.comparison/1"));
  ASSERT_EQ(in.ridge("import saved.json").code, 0);
  EXPECT_EQ(in.ridge("export --format jsonl").out, printed.out);
  EXPECT_THAT(in.ridge("import saved.json").out, HasSubstr("is stored already"));
  EXPECT_EQ(in.ridge("import missing.json").code, 74);
  EXPECT_EQ(in.ridge("export missing.json").code, 74);
}

TEST(cli, without_a_home_nothing_is_put_into_the_working_folder) {
  const scene in;
  const auto seen = in.ridge(quick, "/usr/bin/env -u HOME -u XDG_DATA_HOME");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.err, HasSubstr("neither HOME nor XDG_DATA_HOME is set"));
  EXPECT_FALSE(std::filesystem::exists(in.folder() / "ridge.db"));
  EXPECT_EQ(in.ridge("history", "/usr/bin/env -u HOME -u XDG_DATA_HOME").code, 69);
}

TEST(cli, json_lines_are_one_object_each) {
  const scene in;
  const auto seen = in.ridge(std::string(quick) + "--format jsonl --no-store");
  std::istringstream lines(seen.out);
  std::size_t n = 0;
  for (std::string line; std::getline(lines, line); ++n)
    EXPECT_EQ(json::parse(line).at("schema"), "ridge.comparison/1");
  EXPECT_GE(n, 1u);
  EXPECT_FALSE(std::filesystem::exists(in.folder() / "ridge"));
}

TEST(cli, compare_measures_in_several_processes_as_run_does) {
  if (sanitized) GTEST_SKIP() << "what is not timed takes longer here than a budget allows for";
  const scene in;
  const auto seen = in.ridge(
      "compare ch01.coalescing:strided ch01.coalescing:contiguous --profile minimal --budget 20s --backend "
      "cpu "
      "--forks 3 --format json");
  ASSERT_LE(seen.code, 2) << seen.err;
  const auto family = json::parse(seen.out).at("families").at(0);
  EXPECT_EQ(family.at("forks"), 3);
}

TEST(cli, forks_merge_into_one_comparison_with_a_ratio_for_each) {
  const scene in;
  const auto seen = in.ridge(std::string(quick_in_processes) + "--save forked.json --format json --no-store");
  ASSERT_EQ(seen.code, 0) << seen.err;
  EXPECT_EQ(json::parse(seen.out).at("families").at(0).at("forks"), 2);
  EXPECT_EQ(in.ridge("verify --results forked.json").code, 0);
}

// The address of the function that lists a chapter's experiments, modulo a line of the instruction cache.
unsigned long code_offset(const scene& in, const std::filesystem::path& chapter) {
  const auto listed = in.folder() / "symbols";
  EXPECT_EQ(std::system(("nm " + chapter.string() + " >" + listed.string()).c_str()), 0);
  std::istringstream symbols(contents(listed));
  for (std::string line; std::getline(symbols, line);) {
    if (line.find("experiments_of_chapter") != std::string::npos) return std::stoul(line, nullptr, 16) % 64;
  }
  ADD_FAILURE() << chapter << " lists no experiments";
  return 0;
}

TEST(cli, each_process_of_a_run_has_the_code_elsewhere) {
  const auto modules = std::filesystem::path(RIDGE_PROGRAM).parent_path().parent_path() / "lib/ridge";
  if (!std::filesystem::exists(modules / "layouts")) GTEST_SKIP() << "built without RIDGE_LAYOUTS";
  const scene in;
  const auto usual = code_offset(in, modules / "chapters/ch01_performance_basics.so");
  for (const unsigned layout : {1U, 2U, 3U}) {
    const auto shifted = modules / "layouts" / std::to_string(layout) / "ch01_performance_basics.so";
    EXPECT_EQ(code_offset(in, shifted), (usual + 16 * layout) % 64) << layout;
  }
  const auto seen = in.ridge(std::string(quick_in_processes) + "--format json --no-store");
  ASSERT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("linked in 2 ways"));
}

TEST(cli, bench_finds_the_slower_program_and_refuses_a_different_output) {
  const scene in;
  EXPECT_EQ(in.ridge("bench --budget 10s --fail-on worse -- sleep 0.01 -- sleep 0.03").code, 1);
  EXPECT_EQ(in.ridge("bench --budget 1s --verify-output -- echo a -- echo b").code, 2);
  EXPECT_EQ(in.ridge("bench --budget 1s -- true -- false").code, 2);
  EXPECT_EQ(in.ridge("bench -- no_such_program_anywhere").code, 69);
  EXPECT_EQ(in.ridge("bench").code, 64);
}

TEST(cli, stored_runs_side_by_side_get_no_verdict) {
  const scene in;
  for (int i = 0; i < 2; ++i) ASSERT_EQ(in.ridge(quick).code, 0);
  const auto past = json::parse(in.ridge("history --json").out).at("comparisons");
  const std::string last = past.front().at("run"), first = past.back().at("run");
  ASSERT_NE(first, last);
  const auto seen = in.ridge("compare " + first + " " + last);
  EXPECT_EQ(seen.code, 3);
  EXPECT_THAT(seen.out, HasSubstr("not measured interleaved, so they get no verdict"));
  EXPECT_THAT(seen.out, Not(HasSubstr("BETTER")));
}

// Holds once a process of the program measures: it is told the backend, which the program is not.
constexpr const char* a_fork_runs =
    "[ $(for one in $(cat /proc/$program/task/*/children); do grep -sz -e --backend /proc/$one/cmdline; done "
    "| "
    "wc -c) -gt 0 ]";

// Signals the program once the condition holds, and notes when it was signalled and when it ended.
std::string terminated_after(const std::string& condition) {
  return "sh -c '\"$0\" \"$@\" & program=$!; for look in $(seq 900); do if " + condition +
         "; then break; fi; sleep 0.1; done; date +%s.%N >asked; kill -TERM $program; wait $program; "
         "code=$?; date +%s.%N >ended; exit $code'";
}
double seconds_to_the_end(const scene& in) {
  const auto moment = [&](const char* name) { return std::stod(contents(in.folder() / name)); };
  return moment("ended") - moment("asked");
}

TEST(cli, an_interrupted_run_exits_130_within_two_seconds_and_keeps_what_is_finished) {
  const scene in;
  const auto seen = in.ridge("run ch01.coalescing --forks 1 --format jsonl", terminated_after("[ -s out ]"));
  EXPECT_EQ(seen.code, 130);
  EXPECT_THAT(seen.out, HasSubstr("ch01.coalescing"));
  EXPECT_LT(seconds_to_the_end(in), 4) << "it stops within two seconds where nothing else runs";
  const auto kept = in.ridge("history");
  EXPECT_EQ(kept.code, 0);
  EXPECT_THAT(kept.out, HasSubstr("1 run"));
}

TEST(cli, an_interrupted_run_ends_the_process_that_measures_a_fork) {
  const scene in;
  const auto seen =
      in.ridge("run ch01.coalescing --forks 3 --arm-budget 60s --no-store", terminated_after(a_fork_runs));
  EXPECT_EQ(seen.code, 130);
  EXPECT_LT(seconds_to_the_end(in), 4);
}

TEST(cli, an_unusable_store_costs_no_results) {
  const scene in;
  const auto seen = in.ridge(std::string(quick) + "--store /proc/no/such.db");
  EXPECT_EQ(seen.code, 0);
  EXPECT_THAT(seen.err, HasSubstr("not stored"));
  EXPECT_THAT(seen.out, HasSubstr("contiguous"));
}

}  // namespace
}  // namespace ridge::cli
