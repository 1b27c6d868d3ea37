// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/run_page.hpp>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/read_file.hpp>
#include <ridge/model/json.hpp>

#include "example_runs.hpp"

namespace ridge::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page_of(model::run run) {
  const std::vector runs{std::move(run)};
  return run_page(runs);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

// Returns the names of the elements that are open at the end or were closed out of order; empty elements and
// declarations are left out.
std::vector<std::string> unbalanced(const std::string& page) {
  std::vector<std::string> open;
  for (auto at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const auto end = page.find('>', at);
    const auto tag = page.substr(at + 1, end - at - 1);
    if (tag.starts_with("!") || tag.starts_with("meta") || tag.ends_with("/")) continue;
    const auto name = tag.substr(0, tag.find(' '));
    if (!name.starts_with("/")) {
      open.push_back(name);
    } else if (!open.empty() && open.back() == name.substr(1)) {
      open.pop_back();
    } else {
      return {"/" + name};
    }
  }
  return open;
}

TEST(run_page, of_every_kept_run_is_whole_and_loads_nothing) {
  std::size_t pages = 0;
  const auto folder = std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "results";
  for (const auto& machine : std::filesystem::directory_iterator(folder)) {
    for (const auto& file : std::filesystem::directory_iterator(machine)) {
      if (file.path().extension() != ".json") continue;
      SCOPED_TRACE(file.path());
      const auto run = model::run_from_json(*read_file(file.path()));
      ASSERT_TRUE(run);
      const auto page = page_of(*run);
      ++pages;
      EXPECT_THAT(unbalanced(page), testing::IsEmpty());
      for (const auto* loads : {"<script", "<link", "<img", "<iframe", " src=", "url(", "@import", "http://",
                                "https://", " onclick", " onload", "javascript:"})
        EXPECT_THAT(page, Not(HasSubstr(loads)));
      EXPECT_EQ(count(page, "<h1"), 1u);
      EXPECT_EQ(count(page, "<table>"), count(page, "<caption>"));
      EXPECT_EQ(count(page, "<h3"), run->families.size());
      for (const auto& f : run->families) {
        EXPECT_THAT(page, HasSubstr(f.experiment));
        for (const auto& m : f.measurements) EXPECT_THAT(page, HasSubstr(">" + m.variant + "<"));
      }
      EXPECT_THAT(page, HasSubstr("--seed " + std::to_string(run->seed)));
      EXPECT_THAT(page, HasSubstr("prefers-color-scheme:dark"));
    }
  }
  EXPECT_GE(pages, 3u);
}

TEST(run_page, escapes_every_text_of_a_run) {
  const std::string evil = "\"><script>alert(1)</script>&'";
  auto run = tests::awkward();
  run.id = run.started = run.profile = evil;
  run.command = {"ridge", "run", evil};
  auto& e = run.environment;
  e.machine = e.cpu = e.kernel = e.compiler = e.flags = e.build = evil;
  e.facts = {{evil, evil}};
  e.findings = {{evil, model::severity::warning, evil}};
  run.peak.ceilings = {{.id = evil, .description = evil, .variant = evil, .note = evil}};
  for (auto& f : run.families) {
    f.experiment = f.title = f.question = f.skipped = evil;
    f.problem = {{evil, evil}};
    f.checks.push_back({.id = evil, .evidence = evil});
    for (auto& m : f.measurements) {
      m.idea = m.ceiling = evil;
      m.variant += evil;
      if (!m.refused.empty()) m.refused = evil;
      if (!m.skipped.empty()) m.skipped = evil;
    }
    for (auto& c : f.comparisons) {
      c.candidate += evil;
      c.reference += evil;
    }
  }
  const auto page = page_of(run);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr(evil.substr(0, 9))));
  EXPECT_THAT(unbalanced(page), testing::IsEmpty());
}

TEST(run_page, holds_every_check_with_its_text_and_why_variants_are_missing) {
  const auto page = page_of(tests::awkward());
  EXPECT_THAT(page, HasSubstr("needs AVX512-FP16, which this CPU lacks"));
  EXPECT_THAT(page, HasSubstr("element 7 of weights is 0.5"));
  EXPECT_THAT(page, HasSubstr("the two halves of the session disagree"));
  EXPECT_THAT(page, HasSubstr("halves "));
  EXPECT_THAT(page_of(tests::two_variants()), HasSubstr("perf_event_paranoid is 3"));
}

TEST(run_page, shows_values_that_are_tiny_without_their_zeros) {
  auto run = tests::two_variants();
  run.families.front().checks = {{.id = "error", .value = 7.94e-9, .limit = 1e-7},
                                 {.id = "cpu_time", .value = 0.0000961, .limit = 25, .unit = "%"},
                                 {.id = "warm", .value = 2e-6, .limit = 0, .unit = "s"}};
  const auto page = page_of(run);
  EXPECT_THAT(page, HasSubstr(">7.94e-09 (limit 1e-07)<"));
  EXPECT_THAT(page, HasSubstr(">9.61e-05 % (limit 25"));
  EXPECT_THAT(page, HasSubstr(">2.00 µs (limit 0"));
}

TEST(run_page, several_runs_have_anchors_of_their_own) {
  const std::vector runs{tests::two_variants(), tests::two_variants()};
  const auto page = run_page(runs);
  EXPECT_EQ(count(page, "id=\"run1-ch01.contiguous-access-cpu\""), 1u);
  EXPECT_EQ(count(page, "href=\"#run2-ch01.contiguous-access-cpu\""), 1u);
  EXPECT_EQ(count(page, "<h1"), 2u);
  EXPECT_EQ(count(page, "<main>"), 1u);
}

TEST(replay_command, names_the_seed_and_not_where_the_first_run_was_saved) {
  model::run run{
      .command = {"build/bin/ridge", "run", "ch01.*gemm*", "--seed", "7", "--save", "x.json", "--no-store"}};
  run.seed = 42;
  EXPECT_EQ(replay_command(run), "ridge run 'ch01.*gemm*' --seed 42");
  run.command = {"ridge", "bench", "--", "echo", "it's"};
  EXPECT_EQ(replay_command(run), "ridge bench --seed 42 -- echo 'it'\\''s'");
  run.command = {"ridge",  "bench", "--save",   "a.json", "--",    "./old",
                 "--seed", "5",     "--save=x", "--",     "./new", "--no-store"};
  EXPECT_EQ(replay_command(run), "ridge bench --seed 42 -- ./old --seed 5 --save=x -- ./new --no-store");
}

}  // namespace
}  // namespace ridge::report
