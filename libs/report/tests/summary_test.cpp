// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/summary.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/run_page.hpp>

#include "example_runs.hpp"

namespace ridge::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

model::comparison against_slow(std::string candidate, double ratio, model::verdict verdict) {
  model::comparison c{.reference = "slow", .candidate = std::move(candidate)};
  c.ratio = ratio;
  c.ci = {ratio * 0.99, ratio * 1.01};
  c.verdict = verdict;
  return c;
}

model::family family_of(std::vector<model::comparison> comparisons, std::int64_t n = 8) {
  model::family f{.experiment = "ch01.copy", .problem = {{"n", n}}};
  f.measurements = {{.variant = "slow"},
                    {.variant = "fast", .role = model::role::optimized, .of_ceiling = 0.5},
                    {.variant = "library", .role = model::role::comparator}};
  for (auto& m : f.measurements) m.metrics = {{.median = 1}};
  f.comparisons = std::move(comparisons);
  return f;
}

summary_row line_of(const model::family& f) {
  const std::vector<const model::family*> alone{&f};
  return summarized(alone);
}

TEST(summary, names_the_best_own_variant_and_not_the_library_or_an_invalid_one) {
  const auto row = line_of(family_of({against_slow("fast", 2, model::verdict::better),
                                      against_slow("library", 3, model::verdict::better),
                                      against_slow("slower", 5, model::verdict::invalid)}));
  EXPECT_EQ(row.best, "fast");
  EXPECT_EQ(row.ratio, "2.00× [1.98, 2.02]");
  EXPECT_EQ(row.verdict, "BETTER");
  EXPECT_EQ(row.of_ceiling, "50 %");
  EXPECT_EQ(row.problem, "n=8");
}

TEST(summary, says_invalid_where_nothing_else_is_left) {
  EXPECT_EQ(line_of(family_of({against_slow("fast", 9, model::verdict::invalid)})).verdict, "INVALID");
  auto refused = family_of({});
  refused.measurements[1].refused = "threw: boom";
  EXPECT_EQ(line_of(refused).verdict, "REFUSED");
  model::family skipped{.experiment = "ch01.copy", .skipped = "no GPU"};
  EXPECT_EQ(line_of(skipped).verdict, "skipped");
}

TEST(summary, several_problems_share_a_line_that_hides_no_verdict) {
  const auto a = family_of({against_slow("fast", 2, model::verdict::better)}, 8),
             b = family_of({against_slow("fast", 0.5, model::verdict::worse)}, 16),
             c = family_of({against_slow("fast", 4, model::verdict::better)}, 32);
  const std::vector<const model::family*> all{&a, &b, &c};
  const auto row = summarized(all);
  EXPECT_EQ(row.problem, "3 problems");
  EXPECT_EQ(row.best, "fast");
  EXPECT_EQ(row.ratio, "0.5× to 4×");
  EXPECT_EQ(row.verdict, "2 BETTER, 1 WORSE");
  EXPECT_EQ(row.look, tone::bad);
}

TEST(summary, tells_each_cause_once_with_everything_it_befell) {
  model::run run;
  for (const auto* id : {"ch01.a", "ch01.b", "ch01.c"}) {
    auto f = family_of({against_slow("fast", 2, model::verdict::invalid)});
    f.experiment = id;
    f.comparisons[0].checks = {{.id = "ceilings", .result = model::outcome::fail}};
    f.checks = {{.id = "energy", .result = model::outcome::skipped, .evidence = "no meter"},
                {.id = "interference", .result = model::outcome::warn}};
    f.measurements[2].skipped = "needs openblas";
    run.families.push_back(std::move(f));
  }
  const auto all = causes(run);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].kind, cause_kind::invalid);
  EXPECT_EQ(all[0].text, "faster than the measured ceiling: check");
  EXPECT_THAT(all[0].cases, ElementsAre("ch01.a/fast", "ch01.b/fast", "ch01.c/fast"));
  EXPECT_EQ(all[1].text, "needs openblas");
  EXPECT_EQ(all[2].text, "energy: no meter");
  EXPECT_EQ(all[3].text, "disturbed by other activity");
  const auto text = console_summary(run, {});
  EXPECT_THAT(text, HasSubstr("energy: no meter (all)"));
  EXPECT_EQ(text.find("no meter"), text.rfind("no meter"));
  EXPECT_THAT(text, HasSubstr("(a/fast, b/fast and 1 more)"));
}

TEST(summary, says_all_only_where_every_experiment_is_concerned) {
  model::run run;
  for (const auto* id : {"ch01.a", "ch01.b"}) {
    auto f = family_of({});
    f.experiment = id;
    f.checks = {{.id = "energy", .result = model::outcome::skipped, .evidence = "no meter"}};
    run.families.push_back(std::move(f));
  }
  // Two variants of one experiment are as many as there are experiments.
  for (auto& m : run.families[0].measurements) m.refused = m.role == model::role::baseline ? "" : "crashed";
  const auto text = console_summary(run, {});
  EXPECT_THAT(text, HasSubstr("crashed (a/fast, a/library)"));
  EXPECT_THAT(text, HasSubstr("no meter (all)"));
  const auto page = run_page({&run, 1});
  EXPECT_THAT(page, HasSubstr("crashed (ch01.a/fast, ch01.a/library)"));
  EXPECT_THAT(page, HasSubstr("no meter (all experiments)"));
}

TEST(summary, lines_say_how_many_problems_at_80_columns) {
  std::vector<summary_row> rows;
  for (const auto* name : {"ch01.graph_launch", "ch01.batch_size_sweep"})
    rows.push_back({.experiment = name,
                    .problem = "12 problems",
                    .best = "streaming_stores",
                    .ratio = "1.23× to 12.3×",
                    .verdict = "9 BETTER, 3 WORSE",
                    .of_ceiling = "5.0 to 82 %"});
  rows[1].problem = "stride=64 elements=2^21";
  const summary_lines lines(rows, {.columns = 80});
  EXPECT_THAT(lines.line(rows[0]), HasSubstr("  12 problems  "));
  EXPECT_THAT(lines.line(rows[0]), Not(HasSubstr("82 %"))) << "the share of the ceiling makes room";
}

model::run kept_run(const std::string& file) {
  const auto path = std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "results" / file;
  const auto text = read_file(path);
  auto run = model::run_from_json(*text);
  return *run;
}

std::string first_screen(const model::run& run, std::size_t columns) {
  const options look{.columns = columns};
  return console_header(run, look) + '\n' + console_lines(run, look) + '\n' + console_summary(run, look) +
         '\n' + console_guide(run, look);
}

TEST(summary, chapter_1_fits_a_screen_of_40_rows) {
  for (const auto* file : {"amd-epyc-x2/2026-11-23.json", "intel-xeon-x16-nvidia-h200/2026-11-23.json"}) {
    const auto text = first_screen(kept_run(file), 100);
    EXPECT_LE(std::ranges::count(text, '\n'), 40) << text;
  }
}

TEST(summary, lines_fit_their_columns_and_keep_ratio_and_verdict) {
  const auto run = kept_run("amd-epyc-x2/2026-11-23.json");
  for (const std::size_t columns : {80u, 100u, 120u}) {
    const auto text = console_lines(run, {.columns = columns});
    for (const auto line : split(text, '\n')) {
      EXPECT_LE(display_width(line), columns) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
    EXPECT_THAT(text, HasSubstr("BETTER"));
    EXPECT_THAT(text, HasSubstr("×"));
  }
}

TEST(summary, lines_printed_one_by_one_are_those_of_the_whole_run) {
  const auto run = tests::ladder();
  const auto row = summarized(summary_groups(run).front());
  const std::vector rows{row};
  const summary_lines lines(rows, {});
  EXPECT_EQ(lines.header(run) + lines.line(row), console_lines(run, {}));
}

TEST(summary, names_from_elsewhere_cannot_move_the_cursor) {
  auto run = tests::two_variants();
  run.families.front().measurements[1].variant = "a\x1b[2J\nb";
  for (auto& c : run.families.front().comparisons) c.candidate = "a\x1b[2J\nb";
  EXPECT_THAT(console_lines(run, {}), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace ridge::report
