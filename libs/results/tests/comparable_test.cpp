// SPDX-License-Identifier: Apache-2.0
#include <ridge/results/comparable.hpp>

#include <cmath>

#include <gmock/gmock.h>

#include <ridge/results/analysis.hpp>

#include "made_store.hpp"

namespace ridge::results {
namespace {

model::latest_measurement timed_at(const char* variant, double median) {
  model::latest_measurement m;
  m.series.variant = variant;
  m.point.median = median;
  m.point.ci = {0.9 * median, 1.1 * median};
  return m;
}

// The candidate is so many times better than the reference.
model::comparison pair(const char* reference, const char* candidate, double ratio) {
  return {.reference = reference, .candidate = candidate, .ratio = ratio, .ci = {0.99 * ratio, 1.01 * ratio}};
}

TEST(comparable, what_is_invalid_is_not_among_what_decides) {
  model::workload_result seen;
  seen.measurements = {timed_at("plain", 2), timed_at("fast", 1), timed_at("odd", 0.1)};
  seen.comparisons = {pair("plain", "fast", 2), pair("plain", "odd", 20)};
  EXPECT_EQ(deciding(seen).size(), 3u);
  seen.comparisons[1].verdict = model::verdict::invalid;
  ASSERT_EQ(deciding(seen).size(), 2u);
  EXPECT_EQ(deciding(seen)[1]->series.variant, "fast");
}

TEST(comparable, a_ratio_is_read_from_either_side_and_from_its_own_metric) {
  model::workload_result seen;
  seen.measurements = {timed_at("plain", 2), timed_at("fast", 1)};
  auto memory = pair("plain", "fast", 5);
  memory.metric.name = "memory";
  seen.comparisons = {memory, pair("plain", "fast", 2)};
  EXPECT_EQ(ratio_of(seen, "fast", "plain")->ratio, 2);
  EXPECT_EQ(ratio_of(seen, "plain", "fast")->ratio, 0.5);
  EXPECT_DOUBLE_EQ(ratio_of(seen, "plain", "fast")->ci.lo, 1 / 2.02);
  EXPECT_EQ(ratio_in("memory", seen, "fast", "plain")->ratio, 5);
  EXPECT_FALSE(ratio_of(seen, "fast", "other").has_value());
}

std::string text_of_made(const std::string& analysis, model::family family) {
  made_store store;
  store.add({std::move(family)});
  const auto found = answer_of(analysis, store.get(), {});
  return found ? report::text_of(found->document, {.columns = 250}) : found.why().text();
}

model::family three_variants() {
  model::family f{.experiment = "ch01.made"};
  f.measurements = {made_variant("base", 1e-3, model::role::baseline), made_variant("odd", 2e-3),
                    made_variant("fast", 5e-4)};
  compare(f, "base", "odd", 0.5);
  compare(f, "base", "fast", 2);
  return f;
}

TEST(comparable, a_time_that_is_not_known_has_no_rank_and_disturbs_none) {
  for (const double unknown : {std::nan(""), 0.0}) {
    auto family = three_variants();
    family.measurements[1].metrics[0].median = unknown;
    const auto text = text_of_made("leaderboards", family);
    EXPECT_THAT(text, testing::ContainsRegex("1 +fast.*\n *2 +base"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("odd")));
  }
}

TEST(comparable, what_was_not_judged_has_no_verdict) {
  auto family = three_variants();
  EXPECT_THAT(text_of_made("leaderboards", family), testing::ContainsRegex("fast .* 2 +BETTER"));
  EXPECT_THAT(text_of_made("recommendations", family), testing::HasSubstr("BETTER"));
  for (auto& c : family.comparisons) c.judged = false;
  EXPECT_THAT(text_of_made("leaderboards", family), testing::Not(testing::HasSubstr("BETTER")));
  EXPECT_THAT(text_of_made("recommendations", family), testing::HasSubstr("not judged, 20 pairs"));
}

// An error that is not known is neither greater nor less than another.
TEST(comparable, an_error_that_is_not_known_decides_nothing) {
  auto family = three_variants();
  for (auto& m : family.measurements) m.max_rel_error = std::nan("");
  EXPECT_THAT(text_of_made("pareto", family), testing::HasSubstr("weighed by time,"));
  EXPECT_THAT(text_of_made("pareto", family), testing::ContainsRegex("odd .*base, fast"));
  EXPECT_THAT(text_of_made("tradeoffs", family), testing::Not(testing::HasSubstr("accuracy")));
}

TEST(comparable, a_store_with_results_is_not_called_empty) {
  model::family alone{.experiment = "ch01.made", .goal = model::goal::informational};
  alone.measurements = {made_variant("only", 1e-3)};
  for (const std::string analysis : {"leaderboards", "pareto", "tradeoffs", "recommendations"}) {
    const auto text = text_of_made(analysis, alone);
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("Nothing is stored"))) << analysis;
    EXPECT_THAT(text, testing::HasSubstr("`ridge run`")) << analysis;
  }
}

}  // namespace
}  // namespace ridge::results
