// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/check_words.hpp>
#include <ridge/report/words.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <ridge/base/read_file.hpp>

namespace ridge::report {
namespace {

const double unknown = std::nan("");

TEST(words, a_median_shows_the_farther_end_of_its_interval) {
  EXPECT_EQ(with_interval(412e-6, {410e-6, 416e-6}, "s"), "412 µs ±0.97 %");
  EXPECT_EQ(with_interval(1, {0.8, 1.05}, "s"), "1.00 s ±20 %");
  EXPECT_EQ(with_interval(1, {1 - 1e-6, 1}, "s"), "1.00 s ±<0.01 %");
}

TEST(words, shares_and_medians_without_a_scale_show_both_ends) {
  EXPECT_EQ(with_interval(0.42, {0.4, 0.43}, "1"), "42.0 % [40.0 %, 43.0 %]");
  EXPECT_EQ(with_interval(0, {-1e-9, 1e-9}, "s"), "0 s [-1.00 ns, 1.00 ns]");
}

TEST(words, what_is_not_known_is_not_printed) {
  EXPECT_EQ(with_interval(unknown, {}, "s"), "-");
  EXPECT_EQ(with_interval(2, {unknown, 3}, "s"), "2.00 s");
  EXPECT_EQ(with_interval(2, {2, 2}, "s"), "2.00 s");
  EXPECT_EQ(ratio_with_interval(unknown, {1, 2}), "-");
  EXPECT_EQ(ratio_with_interval(2, {unknown, unknown}), "2.00×");
  EXPECT_EQ(noise_in_words({unknown, 1}), "unknown");
}

TEST(words, a_ratio_has_the_digits_its_interval_carries) {
  EXPECT_EQ(ratio_with_interval(1.783, {1.7785, 1.7875}), "1.783× [1.778, 1.788]");
  EXPECT_EQ(ratio_with_interval(1.5, {1.2, 1.9}), "1.50× [1.20, 1.90]");
  EXPECT_EQ(ratio_with_interval(2.0476, {2.0476, 2.0476}), "2.05× exact");
  EXPECT_EQ(ratio_with_interval(250.12, {240, 260}), "250.1× [240.0, 260.0]");
}

TEST(words, a_small_ratio_keeps_its_digits) {
  EXPECT_EQ(ratio_with_interval(0.00076, {unknown, unknown}), "0.00076×");
  EXPECT_EQ(ratio_with_interval(0.00076, {0.00071, 0.00081}), "0.00076× [0.00071, 0.00081]");
}

TEST(words, an_exact_ratio_that_is_not_1_does_not_read_as_1) {
  model::comparison c{.metric = {.name = "memory", .unit = "B"}, .ratio = 1.00002};
  c.ci = {c.ratio, c.ratio};
  EXPECT_EQ(ratio_with_interval(c.ratio, c.ci), "1.00002× exact");
  EXPECT_EQ(direction_in_words(c), "smaller");
  c.ratio = 1 + 1e-12, c.ci = {c.ratio, c.ratio};
  EXPECT_EQ(ratio_with_interval(c.ratio, c.ci), "1× exact");
  EXPECT_EQ(direction_in_words(c), "equal");
}

TEST(words, a_verdict_says_what_the_interval_says) {
  model::comparison c{.ratio = 1.1, .ci = {0.9, 1.3}, .verdict = model::verdict::inconclusive};
  EXPECT_EQ(verdict_in_words(c, 0.01), "INCONCLUSIVE: between 0.90× and 1.30×");
  c.ci = {1.005, 1.3};
  EXPECT_EQ(verdict_in_words(c, 0.01), "INCONCLUSIVE: between 1.005× and 1.30×");
  c.verdict = model::verdict::better;
  EXPECT_EQ(verdict_in_words(c, 0.01), "BETTER");
  c.checks = {{.id = "observed", .result = model::outcome::warn}};
  EXPECT_EQ(verdict_in_words(c, 0.01), "BETTER: claimed by the variants");
  c.verdict = model::verdict::worse, c.ratio = 0.5;
  EXPECT_EQ(verdict_in_words(c, 0.01), "WORSE: 2.00× slower");
  c.verdict = model::verdict::equivalent;
  EXPECT_EQ(verdict_in_words(c, 0.01), "EQUIVALENT: within 1 %");
  c.verdict = model::verdict::invalid;
  c.checks = {{.id = "drift", .result = model::outcome::fail}};
  EXPECT_EQ(verdict_in_words(c, 0.01), "INVALID: the two halves of the session disagree");
  c.judged = false;
  EXPECT_EQ(verdict_in_words(c, 0.01), "");
}

TEST(words, an_interval_that_holds_1_shows_no_clear_difference) {
  model::comparison c{.ratio = 1.1, .ci = {0.9, 1.3}};
  EXPECT_EQ(direction_in_words(c), "no clear difference");
}

TEST(words, a_check_that_did_not_hold_is_told_in_words) {
  EXPECT_EQ(check_in_words("ceilings"), "faster than the measured ceiling: check");
  EXPECT_EQ(check_in_words("audit.allocations"), check_in_words("audit"));
  EXPECT_EQ(check_in_words("new_check"), "new_check");
}

TEST(words, a_phase_that_nobody_spent_time_in_is_not_named) {
  model::family f;
  f.measurements.push_back({.variant = "a", .phases = {{"read", 0.2}, {"copy", 0}, {"other", 0.8}}});
  f.measurements.push_back({.variant = "b", .phases = {{"wait", 0.5}, {"copy", 0}, {"other", 0.5}}});
  EXPECT_EQ(phase_names(f), (std::vector<std::string>{"read", "other", "wait"}));
  f.measurements[1].phases[1].share = 0.1;
  EXPECT_EQ(phase_names(f), (std::vector<std::string>{"read", "copy", "other", "wait"}));
}

TEST(words, the_time_in_a_further_mode_has_a_table_of_its_own) {
  model::family f;
  f.measurements.push_back({.variant = "a", .metrics = {{.metric = {.name = "time"}}}});
  for (const auto* name : {"time (graph)", "time (warm)", "latency"}) {
    EXPECT_TRUE(is_of_a_mode(f, {.name = name})) << name;
    EXPECT_FALSE(is_shown_beside(f, {.name = name})) << name;
  }
  EXPECT_FALSE(is_of_a_mode(f, {.name = "goodput"}));
  EXPECT_TRUE(is_shown_beside(f, {.name = "goodput"}));
  EXPECT_FALSE(is_shown_beside(f, {.name = "cycles"})) << "a check says what they say";
  f.measurements[0].metrics[0].metric.name = "latency";
  EXPECT_FALSE(is_of_a_mode(f, {.name = "latency"})) << "there it decides";
}

TEST(words, a_judged_comparison_is_found_before_a_step) {
  model::family f;
  f.comparisons = {{.reference = "a", .candidate = "b", .judged = false},
                   {.reference = "a", .candidate = "b"}};
  EXPECT_EQ(find_comparison(f, "a", "b", "time"), &f.comparisons[1]);
  EXPECT_EQ(find_comparison(f, "b", "a", "time"), nullptr);
}

// The ids of checks in the sources that make them: `.id = "clock"`.
std::set<std::string> ids_of_checks() {
  const std::filesystem::path libs = std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "libs";
  const std::string before = ".id = \"";
  std::set<std::string> found;
  for (const auto* component : {"harness", "bench", "judge"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(libs / component / "src")) {
      if (entry.path().extension() != ".cpp") continue;
      const auto text = *read_file(entry.path());
      for (auto at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
        const auto begin = at + before.size();
        found.insert(text.substr(begin, text.find('"', begin) - begin));
      }
    }
  }
  return found;
}

TEST(words, every_check_that_can_fail_has_some) {
  const std::set<std::string> never_fail{"counters", "energy", "events", "inputs", "upkeep"};
  const auto ids = ids_of_checks();
  EXPECT_GE(ids.size(), 35u);
  for (const auto& id : ids) {
    if (never_fail.contains(id)) continue;
    EXPECT_NE(check_in_words(id), id);
  }
}

TEST(words, shares_have_two_digits_and_no_exponent) {
  EXPECT_EQ(percent_in_words(1.2), "120 %");
  EXPECT_EQ(percent_in_words(0.12), "12 %");
  EXPECT_EQ(percent_in_words(-0.034), "3.4 %");
  EXPECT_EQ(percent_in_words(0.0056), "0.56 %");
}

}  // namespace
}  // namespace ridge::report
