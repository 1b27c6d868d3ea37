// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/forks.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace ridge::harness {
namespace {

model::family fork_with(double ratio, model::verdict verdict = model::verdict::better) {
  model::family f;
  for (const auto* name : {"slow", "fast"}) {
    model::measurement m{.variant = name};
    m.metrics.push_back({.metric = {}, .median = name[0] == 's' ? ratio : 1.0, .ci = {0.9, 1.1}});
    m.samples.push_back({.metric = {}, .value = {1, 2, 3}});
    f.measurements.push_back(m);
  }
  f.comparisons.push_back({.reference = "slow",
                           .candidate = "fast",
                           .ratio = ratio,
                           .ci = {ratio * 0.999, ratio * 1.001},
                           .verdict = verdict,
                           .assurance = 2,
                           .pairs = 10});
  return f;
}

TEST(merge_forks, takes_the_student_interval_of_the_logarithms) {
  const auto merged = merge_forks({fork_with(1.9), fork_with(2.0), fork_with(2.1)}, 0.01);
  const auto& c = merged.comparisons.front();
  // By hand: mean of ln(1.9, 2.0, 2.1) = 0.692311, s = 0.050052, t(0.975, 2) = 4.302653.
  EXPECT_NEAR(c.ratio, std::exp(0.692311), 1e-4);
  EXPECT_NEAR(c.ci.lo, std::exp(0.692311 - 4.302653 * 0.050052 / std::sqrt(3.0)), 1e-3);
  EXPECT_NEAR(c.ci.hi, std::exp(0.692311 + 4.302653 * 0.050052 / std::sqrt(3.0)), 1e-3);
  EXPECT_EQ(c.verdict, model::verdict::better);
  EXPECT_EQ(c.assurance, 3);
  EXPECT_EQ(c.pairs, 30u);
  EXPECT_EQ(c.fork_ratios, (std::vector<double>{1.9, 2.0, 2.1}));
  EXPECT_EQ(merged.forks, 3);
}

TEST(merge_forks, forks_that_disagree_are_inconclusive_however_narrow_each_is) {
  const auto merged = merge_forks({fork_with(0.9), fork_with(1.3)}, 0.01);
  EXPECT_EQ(merged.comparisons.front().verdict, model::verdict::inconclusive);
  EXPECT_NE(merged.comparisons.front().checks.back().evidence.find("more than noise"), std::string::npos);
}

TEST(merge_forks, an_invalid_fork_makes_the_whole_invalid) {
  const auto merged =
      merge_forks({fork_with(2.0), fork_with(2.0, model::verdict::invalid), fork_with(2.0)}, 0.01);
  EXPECT_EQ(merged.comparisons.front().verdict, model::verdict::invalid);
}

// In each process the ratio lies beyond the baseline's noise; over all of them it does not, or the other way
// round: what the check says is about the merged verdict.
TEST(merge_forks, the_noise_is_held_against_the_merged_ratio) {
  const auto fork = [](double ratio, interval noise) {
    auto made = fork_with(ratio);
    made.comparisons.front().aa = noise;
    made.comparisons.front().checks.push_back({.id = "noise", .result = model::outcome::pass});
    return made;
  };
  const auto checked = [](const std::vector<model::family>& forks) {
    const auto merged = merge_forks(forks, 0.01);
    return std::pair{merged.comparisons.front().verdict, merged.comparisons.front().checks.front()};
  };
  const auto [held, warned] =
      checked({fork(1.05, {0.99, 1.01}), fork(1.05, {0.9, 1.1}), fork(1.05, {0.9, 1.1})});
  EXPECT_EQ(warned.result, model::outcome::warn);
  EXPECT_NEAR(warned.value.value_or(0), 1 / 0.9 - 1, 1e-9);
  EXPECT_NE(held, model::verdict::better);
  const auto [kept, passed] =
      checked({fork(1.05, {0.9, 1.1}), fork(1.05, {0.99, 1.01}), fork(1.05, {0.99, 1.01})});
  EXPECT_EQ(passed.result, model::outcome::pass);
  EXPECT_EQ(kept, model::verdict::better);
}

TEST(merge_forks, keeps_every_forks_samples_as_series_of_their_own) {
  const auto merged = merge_forks({fork_with(1.9), fork_with(2.0), fork_with(2.1)}, 0.01);
  EXPECT_EQ(merged.measurements.front().samples.size(), 3u);
  EXPECT_DOUBLE_EQ(merged.measurements.front().metrics.front().median, 2.0);
}

TEST(merge_forks, a_variant_refused_in_one_process_stays_refused) {
  auto wrong = fork_with(2.0);
  wrong.measurements[1].refused = "element 7";
  wrong.comparisons.clear();
  EXPECT_EQ(merge_forks({fork_with(2.0), wrong}, 0.01).measurements[1].refused, "element 7");
  EXPECT_EQ(merge_forks({wrong, fork_with(2.0)}, 0.01).measurements[1].refused, "element 7");
}

TEST(merge_forks, a_process_without_results_leaves_none) {
  const model::family crashed{.skipped = "was killed by SIGSEGV"};
  for (const auto& merged : {merge_forks({fork_with(2.0), fork_with(2.0), crashed}, 0.01),
                             merge_forks({crashed, fork_with(2.0), fork_with(2.0)}, 0.01)}) {
    EXPECT_EQ(merged.skipped, "was killed by SIGSEGV");
    EXPECT_TRUE(merged.comparisons.empty());
  }
}

TEST(merge_forks, a_variant_skipped_in_one_process_stays_skipped) {
  auto fewer = fork_with(2.0);
  fewer.measurements[1] = {.variant = "fast", .skipped = "no memory"};
  fewer.comparisons.clear();
  for (const auto& merged :
       {merge_forks({fork_with(2.0), fewer}, 0.01), merge_forks({fewer, fork_with(2.0)}, 0.01)}) {
    EXPECT_EQ(merged.measurements[1].skipped, "no memory");
    EXPECT_TRUE(merged.comparisons.empty());
  }
}

}  // namespace
}  // namespace ridge::harness
